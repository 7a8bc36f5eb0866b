import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  Admission,
  Client,
  ConfigMap,
  CustomResource,
  Field,
  Kind,
  loadClusterConfig,
  Policy,
  ValidatingAdmissionPolicy,
} from 'kindwright';
import { eventually } from 'kindwright/testing';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';
import { installKinds } from '../sdk/running-manager.js';

class FleetSpec {
  @Field({ format: 'int32' }) size!: number;
  @Field({ optional: true }) zone?: string;
}

@Kind({ group: 'policies.example.com', version: 'v1' })
@Policy('object.spec.size <= 10', 'at most 10 are allowed')
@Policy('oldObject == null || object.spec.size >= oldObject.spec.size', {
  messageExpression: '"must not shrink below " + string(oldObject.spec.size)',
  reason: 'Forbidden',
})
@Policy('object.spec.size != 7', { actions: ['Warn'], message: '7 is unusual' })
@Policy({ apply: 'Object{spec: Object.spec{zone: "a"}}', match: '!has(object.spec.zone)' })
abstract class Fleet extends CustomResource {
  @Field() spec!: FleetSpec;
}

@Admission(ConfigMap)
@Policy('request.operation != "DELETE" || !("keep" in oldObject.metadata.labels)', {
  on: ['DELETE'],
  match: 'has(oldObject.metadata.labels)',
  message: 'is kept',
})
class KeptConfigMaps {}

let cluster: SuiteControlPlane;
let client: Client;
beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  await installKinds(client, [Fleet, KeptConfigMaps]);
  // Policies take effect a little later.
  await eventually(
    async () => {
      await expect(create('probe', 11)).rejects.toThrow(/at most 10/);
      expect((await client.create(Fleet, fleet('probe', 7), { dryRun: true })).spec.zone).toBe('a');
    },
    { timeout: '20s' },
  );
});
afterAll(async () => {
  client.close();
  await cluster.stop();
});

const fleet = (name: string, size: number) => ({ metadata: { name, namespace: 'default' }, spec: { size } });
const create = (name: string, size: number) => client.create(Fleet, fleet(name, size), { dryRun: name === 'probe' });

describe('@Policy on a class with @Kind', () => {
  test('@Policy rejects writes and changes objects without a running operator', async () => {
    expect((await create('a', 3)).spec).toEqual({ size: 3, zone: 'a' });
    await expect(create('b', 11)).rejects.toThrow(/denied request: at most 10 are allowed/);
    const shrunk = client.patch(Fleet, 'a', { spec: { size: 2 } }, { namespace: 'default' });
    await expect(shrunk).rejects.toThrow(/must not shrink below 3/);
    expect((await client.patch(Fleet, 'a', { spec: { size: 4 } }, { namespace: 'default' })).spec.size).toBe(4);
  });

  test('@Policy has no type errors, according to the API server', async () => {
    await eventually(
      async () => {
        const { items } = await client.list(ValidatingAdmissionPolicy);
        const own = items.filter(({ metadata }) => metadata.name.includes('fleets.policies.example.com'));
        expect(own.map(({ metadata }) => metadata.name)).toEqual([
          'fleets.policies.example.com',
          'fleets.policies.example.com-2',
        ]);
        for (const { status } of own) expect(status?.typeChecking).toEqual({});
      },
      { timeout: '20s' },
    );
  });
});

describe('@Policy on a class with @Admission', () => {
  test('@Policy on a class with @Admission applies to objects of the kind, but not to those of kube-system', async () => {
    const deleteNew = async (namespace: string) => {
      const metadata = { generateName: 'kept-', namespace, labels: { keep: '' } };
      const { name } = (await client.create(ConfigMap, { metadata })).metadata;
      await client.delete(ConfigMap, name, { namespace });
    };
    const refused = () => expect(deleteNew('default')).rejects.toThrow(/denied request: is kept/);
    await eventually(refused, { timeout: '20s' });
    await deleteNew('kube-system');
  });
});
