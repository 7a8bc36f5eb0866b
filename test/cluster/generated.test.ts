import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ControlPlane } from '../controlplane/control-plane.js';
import { generateGoldenCrds, goldenFolder, readYamlFiles } from '../tools/golden-crds.js';
import { generateKinds } from '../tools/kinds-source.js';

const root = join(import.meta.dirname, '..', '..');

describe('what is generated from the API server', () => {
  let cluster: ControlPlane;
  beforeAll(async () => {
    cluster = await ControlPlane.start({ parts: ['etcd', 'apiserver'] });
  });
  afterAll(() => cluster.stop());

  test('src/api/kinds.ts has every kind the server serves; else run `npm run generate:kinds`', async () => {
    const { source, untyped } = await generateKinds(cluster);
    expect(await readFile(join(root, 'src', 'api', 'kinds.ts'), 'utf8')).toBe(source);
    expect(untyped).toEqual([]);
  });
});

describe('what is generated from Go types', () => {
  test('test/manifests/golden is what controller-gen makes of them; else run `npm run generate:golden`', async () => {
    const generated = await generateGoldenCrds();
    expect(generated.size).toBe(5);
    expect(await readYamlFiles(goldenFolder)).toEqual(generated);
  });
});
