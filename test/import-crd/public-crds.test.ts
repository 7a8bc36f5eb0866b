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
  test('the classes of a public definition generate an equal definition', () => {
    expect(trips).toHaveLength(20);
    expect(trips.filter(({ difference }) => difference !== undefined)).toEqual([]);
  });

  test('the classes of a public definition are formatted as by prettier', async () => {
    expect(await imported.unformatted()).toEqual([]);
  }, 120_000);

  test('the classes of a public definition compile with the strictest settings, without unused imports', () => {
    expect(imported.typeErrors()).toBe('');
  }, 120_000);
});
