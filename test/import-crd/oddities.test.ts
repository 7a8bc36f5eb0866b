import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { crdsIn, ImportedProject } from './round-trip.js';

const source = join(import.meta.dirname, 'crds', 'oddities.yaml');
const imported = new ImportedProject();
beforeAll(() => imported.import(source), 60_000);
afterAll(() => imported.remove());

const stored = () => imported.files().get('operators/map-v1.ts') ?? '';

describe('import-crd, on what definitions seldom have', () => {
  test('the imported classes of an unusual definition generate an equal definition', async () => {
    const [trip] = await imported.roundTrip(crdsIn([source]));
    expect(trip).toEqual({ name: 'maps.odd.example.com', fields: 80, difference: undefined });
  }, 60_000);

  test('writes TypeScript as prettier formats it, which holds under the strictest settings', async () => {
    expect(await imported.unformatted()).toEqual([]);
    expect(imported.typeErrors()).toBe('');
  }, 60_000);

  test('writes a file for each version', () => {
    expect([...imported.files().keys()]).toEqual([
      'operators/map-v1.ts',
      'operators/map-v1alpha1.ts',
      'operators/map-v1beta1.ts',
    ]);
  });

  test('gives no class the name of something else', () => {
    expect(stored()).toMatch(/export abstract class MapResource extends CustomResource/);
    expect(stored()).not.toMatch(/class (?:Map|Object|Record|Date|Condition) /);
  });

  test('has one class for all places of the same structure', () => {
    expect(stored().match(/^export class \w*Record\b/gm)).toHaveLength(1);
  });

  test('keeps integers that a double cannot hold', () => {
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
