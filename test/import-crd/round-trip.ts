import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { check } from 'prettier';
import { deepEqual } from '../../src/base/deep-equal.js';
import { stringifyJson } from '../../src/base/json.js';
import { parseYamlDocuments } from '../../src/base/yaml.js';
import { normalizeCrd } from '../../src/import-crd/normalize-crd.js';
import type { JsonSchema } from '../../src/api/schema/json-schema.js';
import { TemporaryProject } from '../cli/temporary-project.js';

const ROOT = join(import.meta.dirname, '..', '..');
const { prettier: PRETTIER } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { prettier: object };
const { compilerOptions: TSCONFIG } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8')) as {
  compilerOptions: Record<string, unknown>;
};

/** A CustomResourceDefinition, as far as tests look into it. */
export interface Crd {
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: { readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: JsonSchema } }[] };
}

/** What became of a definition that was imported, compiled and generated again. */
export interface RoundTrip {
  readonly name: string;
  readonly fields: number;
  /** The path of the first difference; undefined if the two are equal. */
  readonly difference: string | undefined;
}

/** A project that holds what was imported. */
export class ImportedProject {
  readonly project = new TemporaryProject();

  /** @throws Error with the output of a command that failed */
  async import(...args: readonly string[]): Promise<void> {
    await this.run('import-crd', ...args, '--out', 'operators');
  }

  /** What import-crd wrote, by its path. */
  files(): ReadonlyMap<string, string> {
    const paths = globSync('operators/**/*.ts', { cwd: this.project.folder }).sort();
    return new Map(paths.map((path) => [path, readFileSync(join(this.project.folder, path), 'utf8')]));
  }

  /** Generates the definitions again, and compares them. */
  async roundTrip(originals: readonly Crd[]): Promise<RoundTrip[]> {
    rmSync(join(this.project.folder, 'crds-out'), { recursive: true, force: true });
    await this.run('generate-manifests');
    const generated = crdsIn(
      globSync('crds-out/*.yaml', { cwd: this.project.folder }).map((path) => join(this.project.folder, path)),
    );
    return originals.map((original) => {
      const again = generated.find(({ metadata }) => metadata.name === original.metadata.name);
      return {
        name: original.metadata.name,
        fields: original.spec.versions.reduce((sum, { schema }) => sum + fieldCount(schema.openAPIV3Schema), 0),
        difference: again ? difference(original, withoutGenerator(again), '') : 'is not there',
      };
    });
  }

  /** The files that prettier, as this project has it set, would write otherwise. */
  async unformatted(): Promise<string[]> {
    const found: string[] = [];
    for (const [path, text] of this.files())
      if (!(await check(text, { ...PRETTIER, parser: 'typescript' }))) found.push(path);
    return found;
  }

  /** The errors of the compiler under the strictest settings, unused imports included. */
  typeErrors(): string {
    const { paths: _, rootDir: __, ...compilerOptions } = TSCONFIG;
    const strictest = { ...compilerOptions, noUnusedLocals: true, typeRoots: [join(ROOT, 'node_modules', '@types')] };
    this.project.write({
      'tsconfig.json': JSON.stringify({ compilerOptions: strictest, include: ['operators'] }),
    });
    const tsc = join(ROOT, 'node_modules', 'typescript-7', 'bin', 'tsc');
    return spawnSync(process.execPath, [tsc, '-p', this.project.folder], { encoding: 'utf8' }).stdout;
  }

  remove(): void {
    this.project.remove();
  }

  private async run(command: string, ...args: readonly string[]): Promise<void> {
    const { exitCode, stderr } = await this.project.run('kindwright', [command, ...args]);
    if (exitCode !== 0) throw new Error(`${command} exits with ${exitCode}: ${stderr}`);
  }
}

/** The definitions in files, without annotations of the tool that generated them. */
export function crdsIn(files: readonly string[]): Crd[] {
  const documents = files.flatMap((file) =>
    parseYamlDocuments(readFileSync(file, 'utf8'), file, { exactIntegers: true }),
  ) as (Crd & {
    kind: string;
  })[];
  return documents
    .filter(({ kind }) => kind === 'CustomResourceDefinition')
    .map(normalizeCrd)
    .map(withoutGenerator);
}

/** One line for each definition. */
export function table(trips: readonly RoundTrip[]): string {
  const lines = trips.map(
    ({ name, fields, difference: at }) => `${name.padEnd(56)}${String(fields).padStart(7)}  ${at ?? 'equal'}`,
  );
  return [`${'definition'.padEnd(56)} fields  round trip`, ...lines].join('\n');
}

const GENERATOR = 'controller-gen.kubebuilder.io/version';

function withoutGenerator(crd: Crd): Crd {
  const { annotations = {}, ...metadata } = crd.metadata;
  const { [GENERATOR]: _, ...others } = annotations;
  return { ...crd, metadata: { ...metadata, ...(Object.keys(others).length > 0 && { annotations: others }) } };
}

/** Properties at any depth. */
function fieldCount({ properties = {}, items, additionalProperties }: JsonSchema): number {
  const members = [items, additionalProperties].filter((member) => typeof member === 'object');
  const inner = [...Object.values(properties), ...members];
  return Object.keys(properties).length + inner.reduce((sum, schema) => sum + fieldCount(schema), 0);
}

/** The first place where two JSON values differ, if any; stricter than JSON: a key that is missing is a difference. */
function difference(a: unknown, b: unknown, path: string): string | undefined {
  const isTree = typeof a === 'object' && typeof b === 'object' && a !== null && b !== null;
  if (!isTree || Array.isArray(a) !== Array.isArray(b))
    return deepEqual(a, b) ? undefined : `${path}: ${shown(a)} became ${shown(b)}`;
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const [from, to] = [a, b].map((value) => (value as Record<string, unknown>)[key]);
    const found = difference(from, to, `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : stringifyJson(value).slice(0, 100);
}
