import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { check } from 'prettier';
import { crdsIn, ImportedProject, table, type RoundTrip } from './round-trip.js';

const root = join(import.meta.dirname, '..', '..');
const sources = globSync(join(import.meta.dirname, 'crds', '*', '*.yaml')).sort();

const imported = new ImportedProject();
let trips: RoundTrip[];
beforeAll(async () => {
  await imported.import(...sources);
  trips = await imported.roundTrip(crdsIn(sources));
  process.stdout.write(`${table(trips)}\n`);
}, 120_000);
afterAll(() => imported.remove());

describe('import-crd, on the definitions of public projects', () => {
  test('loses nothing: what is generated from the classes equals what was imported', () => {
    expect(trips).toHaveLength(20);
    expect(trips.filter(({ difference }) => difference !== undefined)).toEqual([]);
  });

  test('writes TypeScript as prettier formats it', async () => {
    const { prettier } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { prettier: object };
    const unformatted: string[] = [];
    for (const [path, text] of imported.files())
      if (!(await check(text, { ...prettier, parser: 'typescript' }))) unformatted.push(path);
    expect(unformatted).toEqual([]);
  }, 120_000);

  test('writes TypeScript that holds under the strictest settings, with no import to spare', () => {
    const settings = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as { compilerOptions: object };
    const { paths: _, rootDir: __, ...compilerOptions } = settings.compilerOptions as Record<string, unknown>;
    const strictest = { ...compilerOptions, noUnusedLocals: true, typeRoots: [join(root, 'node_modules', '@types')] };
    const project = join(imported.project.folder, 'tsconfig.json');
    writeFileSync(project, JSON.stringify({ compilerOptions: strictest, include: ['operators'] }));
    const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
    expect(execFileSync(process.execPath, [tsc, '-p', project], { encoding: 'utf8' })).toBe('');
  }, 120_000);
});
