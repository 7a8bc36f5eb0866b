import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { crdsIn, ImportedProject } from './round-trip.js';

const source = join(import.meta.dirname, 'crds', 'oddities.yaml');
const imported = new ImportedProject();
beforeAll(() => imported.import(source), 60_000);
afterAll(() => imported.remove());

const stored = () => imported.files().get('operators/map-v1.ts') ?? '';

describe('import-crd, on unusual definitions', () => {
  test('the imported classes of an unusual definition generate an equal definition', async () => {
    const [trip] = await imported.roundTrip(crdsIn([source]));
    expect(trip).toEqual({ name: 'maps.odd.example.com', fields: 80, difference: undefined });
  }, 60_000);

  test('classes of an unusual definition are formatted as by prettier and compile with the strictest settings', async () => {
    expect(await imported.unformatted()).toEqual([]);
    expect(imported.typeErrors()).toBe('');
  }, 60_000);

  test('a file is written for each version', () => {
    expect([...imported.files().keys()]).toEqual([
      'operators/map-v1.ts',
      'operators/map-v1alpha1.ts',
      'operators/map-v1beta1.ts',
    ]);
  });

  test('no class has the name of another declaration', () => {
    expect(stored()).toMatch(/export class MapResource extends CustomResource/);
    expect(stored()).not.toMatch(/class (?:Map|Object|Record|Date|Condition) /);
  });

  test('places with the same structure share one class', () => {
    expect(stored().match(/^export class \w*Record\b/gm)).toHaveLength(1);
  });

  test('integers that a double cannot represent are kept', () => {
    expect(stored()).toContain('default: 9007199254740993n');
  });

  test('@Schema of the class declares what properties cannot express', () => {
    expect(stored()).toContain(`  properties: {
    deleted: { type: 'boolean', description: 'as methods are called' },
    reconcile: {`);
  });

  test('a schema that options cannot express is written literally', () => {
    expect(stored()).toContain(
      "@Field({ schema: { type: 'integer', minLength: 3 }, optional: true }) wrongKeyword?: number;",
    );
  });
});
