import { readFile } from 'node:fs/promises';
import type { Client, UnstructuredObject } from 'kindwright';
import { parseYamlDocuments } from '../../src/base/yaml.js';
import { applyObjects } from '../../src/testing/apply-objects.js';

/** Applies the objects in a file of YAML, but for kinds left out; CRDs can be used once it resolves. */
export async function applyFile(admin: Client, file: string, leftOut: readonly string[] = []): Promise<void> {
  const objects = parseYamlDocuments(await readFile(file, 'utf8'), file) as UnstructuredObject[];
  await applyObjects(
    admin,
    objects.filter(({ kind = '' }) => !leftOut.includes(kind)),
  );
}
