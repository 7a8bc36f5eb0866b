import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { crdsIn, ImportedProject, table, type RoundTrip } from './round-trip.js';

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
    expect(await imported.unformatted()).toEqual([]);
  }, 120_000);

  test('writes TypeScript that holds under the strictest settings, with no import to spare', () => {
    expect(imported.typeErrors()).toBe('');
  }, 120_000);
});
