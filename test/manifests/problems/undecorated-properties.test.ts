import { afterEach, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateManifests } from '../../../src/manifests/generate.js';
import type { ResourceClass } from '../../../src/resource/model.js';
import { documentedModels } from '../operator-models.js';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

async function warningsOf(members: string, specMembers = '@Field() label!: string;'): Promise<string[]> {
  const folder = mkdtempSync(join(import.meta.dirname, 'undecorated-'));
  folders.push(folder);
  const file = join(folder, 'gauge.ts');
  writeFileSync(
    file,
    `import { CustomResource, Field, Inject, Kind } from 'kindwright';
class Store {}
class Spec { ${specMembers} }
@Kind({ group: 'apps.example.com', version: 'v1' })
export abstract class Gauge extends CustomResource {
  ${members}
}`,
  );
  const { Gauge } = (await import(file)) as { Gauge: ResourceClass };
  const warnings: string[] = [];
  const sources = documentedModels(file, [Gauge]).map((model) => ({ model, sourceFile: 'gauge.ts' }));
  generateManifests(sources, { warn: (message) => warnings.push(message) });
  return warnings.map((warning) => warning.replace(/^\S+\/(?=gauge)/, ''));
}

test('a property without @Field causes a warning with its line', async () => {
  expect(await warningsOf('spec!: Spec;')).toEqual([
    'gauge.ts:6 Gauge.spec: is not in the schema, so the API server drops it; write @Field() spec!: Spec, ' +
      'or private if it is not part of the object',
  ]);
});

test('a property without @Field of a class within a kind causes a warning', async () => {
  const warnings = await warningsOf('@Field() spec!: Spec;', '@Field() label!: string; size?: number;');
  expect(warnings).toEqual([expect.stringMatching(/^gauge\.ts:3 Spec\.size: .* write @Field\(\) size\?: number, /)]);
});

test('properties that are not part of the object cause no warning', async () => {
  const members = [
    '@Field() spec!: Spec;',
    'private cache!: Store;',
    'protected other?: Store;',
    'declare narrowed: Store;',
    'static shared: Store;',
    'retries = 3;',
    'static count: number = 0;',
    'format!: () => string;',
    '@Inject(Store) store!: Store;',
    'inferred;',
    'declare metadata: CustomResource["metadata"];',
  ];
  expect(await warningsOf(members.join('\n  '))).toEqual([]);
});
