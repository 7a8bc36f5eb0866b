import { describe, expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { KIND_REF } from '../../src/api/kinds/kind-ref.js';
import { kindFiles } from '../../src/cli/scaffold/kind-files.js';
import { generateManifests } from '../../src/manifests/generate.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import { isObjectController } from '../../src/resource/kinds/controller-class.js';
import type { ResourceClass, ResourceModel } from '../../src/resource/model.js';

const root = join(import.meta.dirname, '..', '..');
const filesOf = (pattern: string): string[] => globSync(`test/simulation/${pattern}`, { cwd: root }).sort();
const all = filesOf('{mutants,sound}/*.ts');
const mutants = filesOf('mutants/m*.ts').filter((file) => !file.endsWith('.sound.ts'));
const twinOf = (file: string): string => file.replace(/\.ts$/, '.sound.ts');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
/** The code below the comment at the head. */
const codeOf = (file: string): string => read(file).replace(/^(?:\/\/.*\n)+/, '');

async function modelsOf(file: string): Promise<ResourceModel[]> {
  const exported = Object.values((await import(join(root, file))) as Record<string, ResourceClass>);
  return buildResourceModels(exported.filter((value) => Object.hasOwn(value, KIND_REF) || isObjectController(value)));
}

const kindsOf = async (file: string): Promise<string[]> => (await modelsOf(file)).map(({ kind }) => kind.kind);

const FAULTS = [
  ...[
    'none',
    'crash',
    'lost-answer',
    'down',
    'skip',
    'lag',
    'takeover',
    'old-list',
    'two-leaders',
    'conflict',
    'refuse',
  ],
  ...['edit', 'delete-child', 'foreign', 'recreate', 'held', 'flip', 'spec', 'pods', 'slow', 'crowd'],
];
const ORACLES = [
  ...[
    'end state',
    'stable',
    'ledger',
    'own only',
    'no leaks',
    "others' fields",
    'path',
    'status',
    'budget',
    'reported failures',
  ],
  ...['alive', 'rights', 'one at a time', 'invariants'],
];

describe('the mutants', () => {
  test('are 60, numbered from 1, each with a repaired twin', () => {
    const numbers = mutants.map((file) => basename(file).slice(0, 3));
    expect(numbers).toEqual(Array.from({ length: 60 }, (_, index) => `m${String(index + 1).padStart(2, '0')}`));
    expect(filesOf('mutants/*.sound.ts')).toEqual(mutants.map(twinOf));
  });

  test.each(mutants)('%s names its bug, source, fault, workload and oracle', (file) => {
    const [, bug = '', source = '', fault = '', workload = '', oracle = ''] =
      /^\/\/ Bug: (.+)\n\/\/ Source: (.+)\n\/\/ Fault: (.+)\n\/\/ Workload: (.+)\n\/\/ Oracle: (.+)\n/.exec(
        read(file),
      ) ?? [];
    expect([bug, source, workload]).not.toContain('');
    expect(FAULTS).toContain(fault);
    expect(ORACLES).toContain(oracle);
  });

  test.each(mutants)('%s differs from its twin, which has the same kind', async (file) => {
    const twin = twinOf(file);
    expect(codeOf(twin)).not.toBe(codeOf(file));
    expect(read(twin)).toMatch(new RegExp(`^// Repaired twin of ${basename(file)}: .+\\n`));
    expect(await kindsOf(twin)).toEqual(await kindsOf(file));
  });

  test('have different kinds', async () => {
    const kinds = await Promise.all(mutants.map(kindsOf));
    expect(new Set(kinds.flat()).size).toBe(mutants.length);
  });
});

test('sound/new-project.ts is the operator of a new project', () => {
  const names = { group: 'sound.example.com', version: 'v1', kind: 'Gauge', plural: 'gauges' };
  const [operator] = kindFiles({ ...names, scope: 'Namespaced' });
  expect(codeOf('test/simulation/sound/new-project.ts')).toBe(operator?.content);
});

test.each(all)('%s runs, and its schema accepts its sample', async (file) => {
  const models = await modelsOf(file);
  const warn = (warning: string): void => {
    throw new Error(warning);
  };
  const files = generateManifests(
    models.map((model) => ({ model, sourceFile: file })),
    { warn },
  );
  expect(files.filter(({ path }) => path.startsWith('samples/'))).toHaveLength(1);
});
