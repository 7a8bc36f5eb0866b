import { readFileSync } from 'node:fs';
import { type Decorator, parseSync, type Program } from 'oxc-parser';
import { classNode } from '../../compiler/class-node.js';
import { positionAt } from '../../compiler/source-excerpt.js';
import { calledDecoratorName } from '../../compiler/source-lines.js';
import type { RuleOrigin } from '../../manifests/access/granted-rules.js';
import { DEPENDENT } from '../../resource/decorators/dependent.js';
import { OWNS } from '../../resource/decorators/owns.js';
import { RBAC } from '../../resource/decorators/rbac.js';
import { WATCHES } from '../../resource/decorators/watches.js';
import { declarationOf, type MetadataKey } from '../../resource/metadata.js';
import type { ResourceModel } from '../../resource/model.js';
import type { LoadedResource } from '../load-resources.js';

/** Finds the locations of decorators: `operators/podset.ts:32`, or the file alone if its source has no such line. */
export class RulePlaces {
  private readonly lines = new Map<string, ReturnType<typeof decoratorLines>>();

  constructor(private readonly resources: readonly LoadedResource[]) {}

  of({ model, decorator, index }: RuleOrigin): string {
    const key = KEYS[decorator];
    const declared = key ? declarationOf(key, model.target, index) : { target: model.target, index };
    if (!declared) return this.fileOf(model);
    return this.place(model, (declared.target as { name: string }).name, decorator, declared.index);
  }

  private place(model: ResourceModel, className: string, decorator: string, index: number): string {
    const file = this.fileOf(model);
    const decorators = this.linesOf(file).get(className) ?? [];
    const line = decorators.filter(({ name }) => name === decorator)[index]?.line;
    return line === undefined ? file : `${file}:${line}`;
  }

  private fileOf(model: ResourceModel): string {
    return this.resources.find((resource) => resource.model === model)?.sourceFile ?? '';
  }

  private linesOf(file: string): ReturnType<typeof decoratorLines> {
    const known = this.lines.get(file) ?? decoratorLines(file, readFileSync(file, 'utf8'));
    this.lines.set(file, known);
    return known;
  }
}

/** The decorators that a class can have several of, and inherit. */
const KEYS: Readonly<Partial<Record<RuleOrigin['decorator'], MetadataKey<unknown>>>> = {
  Owns: OWNS,
  Watches: WATCHES,
  Rbac: RBAC,
  Dependent: DEPENDENT,
};

/** A decorator of a class, and the line it begins on, counted from 1. */
export interface DecoratorLine {
  readonly name: string;
  readonly line: number;
}

/** The decorators of a module's top-level classes and of their members, in the order of the source, by class. */
export function decoratorLines(path: string, source: string): ReadonlyMap<string, readonly DecoratorLine[]> {
  const { program } = parseSync(path, source, { sourceType: 'module', lang: 'ts' });
  return new Map(
    classesOf(program).map(({ name, decorators }) => [
      name,
      decorators.flatMap((decorator) => {
        const called = calledDecoratorName(decorator);
        return called === undefined ? [] : [{ name: called, line: positionAt(source, decorator.start).line }];
      }),
    ]),
  );
}

function classesOf({ body }: Program): { readonly name: string; readonly decorators: readonly Decorator[] }[] {
  return body.flatMap((statement) => {
    const node = classNode(statement);
    if (!node?.id) return [];
    const ofMembers = node.body.body.flatMap((member) => ('decorators' in member ? member.decorators : []));
    return [{ name: node.id.name, decorators: [...node.decorators, ...ofMembers] }];
  });
}
