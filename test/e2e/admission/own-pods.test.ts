import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Admission, Client, Deployment, loadClusterConfig, Pod, Validate, type UnstructuredObject } from 'kindwright';
import { eventually } from 'kindwright/testing';
import { parseYamlDocuments } from '../../../src/base/yaml.js';
import { generateManifests } from '../../../src/manifests/generate.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import { applyObjects } from '../../../src/testing/apply-objects.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';
import { limitTests } from '../../time-limits.js';

limitTests(120_000);

@Admission(Pod, { allow: 'cluster-wide' })
class VitalPods {
  @Validate({ timeoutSeconds: 1 }) check(): void {
    return undefined;
  }
}

const spec = { containers: [{ name: 'app', image: 'example' }] };
let cluster: SuiteControlPlane;
let client: Client;

beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
});
afterAll(async () => {
  client.close();
  await cluster.stop();
});

async function running(namespace: string): Promise<string[]> {
  const { items } = await client.list(Pod, { namespace });
  return items
    .filter(({ metadata, status }) => status?.phase === 'Running' && metadata.deletionTimestamp === undefined)
    .map(({ metadata }) => metadata.name);
}

test('the pods of an operator start while its webhook for pods is down, and those of kube-system too (W8)', async () => {
  const sources = buildResourceModels([VitalPods]).map((model) => ({ model, sourceFile: 'vitalpods.ts' }));
  const objects = generateManifests(sources, { certificates: 'self' })
    .filter(({ path }) => /(^[^/]+_|\/\d\d-).*\.yaml$/.test(path))
    .flatMap(({ path, content }) => parseYamlDocuments(content, path) as UnstructuredObject[])
    .map((object) =>
      object.kind === 'Deployment' ? { ...object, spec: { ...(object['spec'] as object), replicas: 0 } } : object,
    );
  const deployment = objects.find(({ kind }) => kind === 'Deployment');
  const { name = '', namespace = '' } = deployment?.metadata ?? {};
  await applyObjects(client, objects);
  const create = (target: string) => client.create(Pod, { metadata: { name: 'a', namespace: target }, spec });
  await eventually(
    async () => {
      await expect(
        client.create(Pod, { metadata: { name: 'b', namespace: 'default' }, spec }, { dryRun: true }),
      ).rejects.toThrow(/failed calling webhook "timeout\.validate\.vital-pods\.pods"/);
    },
    { timeout: '20s' },
  );

  await client.patch(Deployment, name, { spec: { replicas: 2 } }, { namespace });
  await eventually(async () => expect(await running(namespace)).toHaveLength(2), { timeout: '40s' });
  const first = await running(namespace);
  await Promise.all(first.map((pod) => client.delete(Pod, pod, { namespace, gracePeriodSeconds: 0 })));
  await eventually(
    async () => {
      const present = await running(namespace);
      expect(present).toHaveLength(2);
      expect(present.filter((pod) => first.includes(pod))).toEqual([]);
    },
    { timeout: '40s' },
  );
  await create('kube-system');
  await expect(create('default')).rejects.toThrow(/failed calling webhook "timeout\.validate\.vital-pods\.pods"/);
});
