import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  Client,
  ConvertsTo,
  CustomResource,
  CustomResourceDefinition,
  drop,
  Field,
  keep,
  Kind,
  loadClusterConfig,
  map,
  move,
} from 'kindwright';
import type { V1Deployment } from '@kubernetes/client-node';
import { eventually } from 'kindwright/testing';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';
import { installKinds, RunningManager } from '../sdk/running-manager.js';
import { AdmissionSuite } from './admission-suite.js';

const group = 'conversions.example.com';

class Spec {
  @Field({ format: 'int32' }) size!: number;
  @Field({ optional: true }) address?: string;
  @Field({ optional: true }) color?: string;
}
@Kind({ group, version: 'v1', kind: 'Listener', storage: true })
class Listener extends CustomResource {
  @Field() spec!: Spec;

  reconcile(): void {
    reconciled.push([this.metadata.name, this.apiVersion, this.spec.size]);
  }
}

class OldSpec {
  @Field({ format: 'int32' }) replicas!: number;
  @Field({ optional: true }) host?: string;
  @Field({ optional: true, format: 'int32' }) port?: number;
  @Field({ optional: true }) paused?: boolean;
  @Field({ optional: true }) legacy?: string;
}
const split = (address: string): unknown[] => {
  if (address === 'broken') throw new RangeError('no port');
  const [host, port] = address.split(':');
  return [host === '' ? undefined : host, port === undefined ? undefined : Number(port)];
};
@Kind({ group, version: 'v1beta1', kind: 'Listener' })
@ConvertsTo(Listener, [
  move('spec.replicas', 'spec.size'),
  map(['spec.host', 'spec.port'], 'spec.address', join, split),
  keep('spec.paused'),
  keep('spec.color'),
  drop('spec.legacy'),
])
abstract class ListenerV1Beta1 extends CustomResource {
  @Field() spec!: OldSpec;
}

function join(host: string | undefined, port: number | undefined): string {
  return port === undefined ? (host ?? '') : `${host ?? ''}:${port}`;
}

const reconciled: unknown[] = [];
const path = (version: string, name = '') => `/apis/${group}/${version}/namespaces/default/listeners/${name}`;
const old = (name: string, spec: object) => ({
  apiVersion: `${group}/v1beta1`,
  kind: 'Listener',
  metadata: { name },
  spec,
});
let cluster: SuiteControlPlane;
let suite: AdmissionSuite;
let client: Client;
let manager: RunningManager;

beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  suite = await AdmissionSuite.start(Promise.resolve(cluster));
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  await installKinds(client, [Listener, ListenerV1Beta1]);
  let served = (): void => undefined;
  const serving = new Promise<void>((resolve) => (served = resolve));
  manager = new RunningManager(client, [Listener], { webhooks: { register: client, onServing: served } });
  await Promise.race([serving, manager.ended]);
});
afterAll(async () => {
  await manager.stop();
  client.close();
  await suite.stop();
});

describe('a kind whose versions convert with @ConvertsTo', () => {
  test('an object of another version is stored in the version of the hub, and reconciled there', async () => {
    await suite.must('POST', path('v1beta1'), old('a', { replicas: 2, host: 'example.com', port: 80, paused: true }));
    expect(await suite.must('GET', path('v1', 'a'))).toMatchObject({
      apiVersion: `${group}/v1`,
      metadata: { annotations: { 'kindwright.dev/kept': '{"v1beta1":{"spec.paused":true}}' } },
      spec: { size: 2, address: 'example.com:80' },
    });
    await eventually(() => {
      expect(reconciled).toContainEqual(['a', `${group}/v1`, 2]);
    });
  });

  test('an object is served in the version in which it was written, without the annotation', async () => {
    const { metadata, spec } = (await suite.must('GET', path('v1beta1', 'a'))) as unknown as Listener;
    expect(spec).toEqual({ replicas: 2, host: 'example.com', port: 80, paused: true });
    expect(metadata.annotations).toBeUndefined();
  });

  test('objects are listed and watched in every version', async () => {
    await suite.must('POST', path('v1'), { ...old('b', { size: 1, color: 'red' }), apiVersion: `${group}/v1` });
    const { items } = (await suite.must('GET', path('v1beta1'))) as unknown as { items: Listener[] };
    expect(items.map(({ metadata, spec }) => [metadata.name, spec])).toEqual([
      ['a', { replicas: 2, host: 'example.com', port: 80, paused: true }],
      ['b', { replicas: 1 }],
    ]);
  });

  test('appliers of different versions own different fields (W25)', async () => {
    const apply = (manager: string, version: string, spec: object) =>
      suite.must(
        'PATCH',
        `${path(version, 'shared')}?fieldManager=${manager}`,
        { ...old('shared', spec), apiVersion: `${group}/${version}` },
        'application/apply-patch+yaml',
      );
    await apply('one', 'v1beta1', { replicas: 3 });
    await apply('two', 'v1', { color: 'blue' });
    await apply('three', 'v1beta1', { host: 'example.com' });
    expect(await apply('two', 'v1', {})).toMatchObject({ spec: { size: 3, address: 'example.com' } });
    const { metadata } = (await suite.must('GET', path('v1', 'shared'))) as unknown as V1Deployment;
    const owned = (metadata?.managedFields ?? []).map(
      ({ manager, fieldsV1 }) => [manager, fieldsV1] as readonly unknown[],
    );
    expect(owned).toEqual(
      expect.arrayContaining([
        ['one', { 'f:spec': { 'f:replicas': {} } }],
        ['three', { 'f:spec': { 'f:host': {} } }],
      ]),
    );
  });

  test('the error of a conversion that throws contains the object and the path, and refers to the log', async () => {
    await suite.must('POST', path('v1'), {
      ...old('broken', { size: 1, address: 'broken' }),
      apiVersion: `${group}/v1`,
    });
    const { code, body } = await suite.send('GET', path('v1beta1', 'broken'));
    expect([code, JSON.stringify(body)]).toEqual([
      500,
      expect.stringContaining('Listener default/broken: spec.address: RangeError: see the log of the operator'),
    ]);
    await suite.must('DELETE', path('v1', 'broken'));
  });

  test('the operator no longer converts objects after it has stopped', async () => {
    await manager.stop();
    const { spec } = await client.get(CustomResourceDefinition, `listeners.${group}`);
    expect(spec.conversion).toEqual({ strategy: 'None' });
  });
});
