import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { publicCrds } from './public-crds.js';
import { crdsIn, ImportedProject, table, type RoundTrip } from './round-trip.js';

const definitions = publicCrds();
const imported = new ImportedProject();
const sources = [...definitions.keys()].map((name) => join(imported.project.folder, name));
let trips: RoundTrip[];
beforeAll(async () => {
  imported.project.write(Object.fromEntries(definitions));
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
