import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { CustomResourceDefinition } from '../../../src/api/kinds/kinds.js';
import { Client } from '../../../src/client/client.js';
import { loadClusterConfig } from '../../../src/client/cluster-config.js';
import { TemporaryProject } from '../../cli/temporary-project.js';
import { applyFile } from '../apply-file.js';
import { projectRoot } from '../operator-process.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';

const NAME = 'maps.odd.example.com';

let cluster: SuiteControlPlane;
let client: Client;
const project = new TemporaryProject();
beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }), { fieldManager: 'test' });
  await applyFile(client, join(projectRoot, 'test', 'import-crd', 'crds', 'oddities.yaml'));
});
afterAll(async () => {
  client.close();
  project.remove();
  await cluster.stop();
});

const kindwright = (...args: string[]) => project.run('kindwright', args, { KUBECONFIG: cluster.kubeconfig });

describe('import-crd --from-cluster', () => {
  test('import-crd --from-cluster keeps everything that the server has stored', async () => {
    const stored = await client.get(CustomResourceDefinition, NAME);
    expect(await kindwright('import-crd', '--from-cluster', NAME)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await kindwright('generate-manifests')).toMatchObject({ exitCode: 0 }); // with warnings
    const generated = join(project.folder, 'crds-out', 'odd.example.com_maps.yaml');
    await applyFile(client, generated);
    const again = await client.get(CustomResourceDefinition, NAME);
    expect(again.spec).toEqual(stored.spec);
    expect(again.metadata.generation).toBe(stored.metadata.generation);
  });

  test('import-crd --from-cluster reports a missing definition', async () => {
    const { exitCode, stderr } = await kindwright('import-crd', '--from-cluster', 'gauges.demo.example.com');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/gauges\.demo\.example\.com.*not found/);
  });
});
