import { afterAll, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { moduleWith } from './doc-files.js';

const folder = mkdtempSync(join(import.meta.dirname, 'faults-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

test('the example of faults in docs/testing.md passes', async () => {
  writeFileSync(join(folder, 'podset.ts'), moduleWith('README.md', 'class PodSetSpec'));
  const example = join(folder, 'example.ts');
  writeFileSync(example, moduleWith('docs/testing.md', 'cluster.faults.add'));
  await expect(import(example)).resolves.toBeDefined();
}, 30_000);
