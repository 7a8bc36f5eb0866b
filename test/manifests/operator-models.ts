import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { KIND_REF } from '../../src/api/kinds/kind-ref.js';
import { findDocComments } from '../../src/compiler/doc-comments.js';
import { isObjectController } from '../../src/resource/kinds/controller-class.js';
import { DOCS, type ClassDocs } from '../../src/resource/doc-comments.js';
import type { ValueModel } from '../../src/resource/fields/value-model.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import type { ResourceClass, ResourceModel } from '../../src/resource/model.js';

const projectRoot = resolve(dirname(import.meta.filename), '../..');

/** The models of every operator of this repository, doc comments included as the loader would leave them. */
export async function loadOperators(): Promise<{ model: ResourceModel; sourceFile: string }[]> {
  const files = readdirSync(join(projectRoot, 'operators')).filter((name) => name.endsWith('.ts'));
  const loaded = await Promise.all(files.map(async (name) => load(`operators/${name}`)));
  return loaded.flat();
}

/** The models of a file's classes. */
export async function load(sourceFile: string): Promise<{ model: ResourceModel; sourceFile: string }[]> {
  const path = join(projectRoot, sourceFile);
  const exported = Object.values((await import(path)) as Record<string, ResourceClass>);
  const classes = exported.filter((value) => Object.hasOwn(value, KIND_REF) || isObjectController(value));
  return documentedModels(path, classes).map((model) => ({ model, sourceFile }));
}

/** The models of a file's classes, with doc comments and declared types as from the loader. */
export function documentedModels(path: string, classes: readonly ResourceClass[]): ResourceModel[] {
  const targets = buildResourceModels(classes).flatMap((model) => [model.target, ...model.fields.flatMap(classesOf)]);
  registerDocs(path, targets);
  return buildResourceModels(classes);
}

function classesOf({ value }: { value: ValueModel }): object[] {
  const { class: classModel, items, values } = value;
  const members = [items, values].flatMap((member) => (typeof member === 'object' ? classesOf({ value: member }) : []));
  return classModel ? [classModel.target, ...classModel.fields.flatMap(classesOf), ...members] : members;
}

function registerDocs(path: string, targets: readonly object[]): void {
  const shared = globalThis as { [DOCS]?: WeakMap<object, ClassDocs> | undefined };
  const docs = (shared[DOCS] ??= new WeakMap<object, ClassDocs>());
  for (const found of findDocComments(path, readFileSync(path, 'utf8'))) {
    for (const target of targets) if ((target as { name: string }).name === found.className) docs.set(target, found);
  }
}
