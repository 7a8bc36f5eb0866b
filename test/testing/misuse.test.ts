import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CustomResource, Kind, Node } from 'kindwright';
import { FakeClock, startCluster, type Cluster } from 'kindwright/testing';
import { PodSet } from '../../operators/podset.js';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ server: 'embedded', nodes: 0 });
});
afterAll(() => cluster.stop());

/** What wants another type, as JavaScript and casts give it. */
const wrong = (value: unknown) => value as never;

const listening = () => process.getActiveResourcesInfo().filter((type) => type === 'TCPServerWrap').length;

describe('startCluster', () => {
  test.each([
    [{ nodes: -1 }, 'nodes cannot be -1: pass a number of nodes, 0 or more, or an array of names'],
    [{ nodes: 1.5 }, 'nodes cannot be 1.5'],
    [{ nodes: wrong('3') }, "nodes cannot be '3'"],
    [{ nodes: ['a', 'B_c'] }, "nodes[1] cannot be 'B_c': a lowercase RFC 1123 subdomain"],
    [{ nodes: ['a', 'a'] }, "nodes[1] cannot be 'a': duplicate node name"],
    [{ podStartDelay: Number.NaN }, 'podStartDelay NaN is not a duration'],
    [{ podStartDelay: '5 s' }, 'podStartDelay 5 s is not a duration'],
    [{ podStartDelayMs: 5 }, 'podStartDelayMs does not exist'],
    [{ real: true }, 'real does not exist'],
    [{ recordRbac: '/' }, '/: cannot read or write the record of requests'],
  ])('startCluster rejects %p by name, and leaves no server behind', async (options, message) => {
    const before = listening();
    await expect(startCluster({ server: 'embedded', ...options })).rejects.toThrow(message);
    expect(listening()).toBe(before);
  });

  test('startCluster rejects a version of Node that is too old', async () => {
    const { versions } = process;
    Object.defineProperty(process, 'versions', { value: { ...versions, node: '20.20.2' } });
    await expect(startCluster({ server: 'embedded' })).rejects.toThrow(
      'requires Node 22.19 or later; this is Node 20.20.2',
    );
    Object.defineProperty(process, 'versions', { value: versions });
  });

  test('a cluster may have more nodes than there are pod address ranges', async () => {
    await using large = await startCluster({ server: 'embedded', nodes: 300 });
    const { spec, status } = await large.client.get(Node, 'node-300');
    expect([spec?.podCIDR, status?.addresses?.[0]?.address]).toEqual([undefined, '10.1.1.44']);
  });

  test.each([0, Date.UTC(2099, 0, 1)])('a cluster can be reached at every time of the clock: %i', async (start) => {
    await using other = await startCluster({ server: 'embedded', clock: new FakeClock(start) });
    expect((await other.client.list(Node)).items).toHaveLength(2);
  });
});

describe('a cluster', () => {
  test('the message and the stack of an error contain the hint once', async () => {
    const error = await cluster.run(wrong(class Plain {})).catch((reason: unknown) => reason as Error);
    expect(error?.message).toMatch(/^Plain: has no @Kind\n {2}hint: @Kind\(.*$/);
    expect(error?.stack).toContain(`ModelError: ${error?.message}\n    at `);
  });

  test('a cluster without classes to run is an error', async () => {
    await expect(cluster.run()).rejects.toThrow('no class was passed');
    await expect(cluster.install(PodSet, wrong(undefined))).rejects.toMatchObject({
      message:
        'argument 2 must be a class, not undefined\n  hint: its module and this one import each other; move the class to a file that does not import this one',
    });
    await expect(cluster.run(wrong([PodSet]))).rejects.toThrow('argument 1 must be a class, not [ [class PodSet');
  });

  test('the error for a kind that is not installed contains the next step', async () => {
    const podSet = { metadata: { name: 'early', namespace: 'default' }, spec: { size: 1 } };
    await expect(cluster.create(PodSet, podSet)).rejects.toThrow(
      'the cluster serves no PodSet of apps.jicki.cn/v1alpha1\n  hint: await cluster.run(YourClass)',
    );
  });

  test('apply reports an argument that is not an object', async () => {
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' } };
    await expect(cluster.apply('crds/podset.yaml')).rejects.toThrow(
      "object 1 to apply is without apiVersion and kind: 'crds/podset.yaml'\n  hint: pass YAML, not the path of a file",
    );
    await expect(cluster.apply(wrong(map))).rejects.toThrow('the argument of apply is not an array of objects');
    await expect(cluster.apply([map, wrong(null)])).rejects.toThrow('object 2 to apply is without apiVersion and kind');
    await expect(cluster.apply('{ apiVersion: v1, kind: ConfigMap }')).rejects.toThrow('is without metadata');
  });

  test('apply accepts a List, as kubectl get prints it', async () => {
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'listed' } };
    const applied = await cluster.apply([{ apiVersion: 'v1', kind: 'List', items: [map] }]);
    expect(applied.map(({ metadata }) => metadata.name)).toEqual(['listed']);
  });
});

test('a cluster whose classes have nothing to reconcile stops like others', async () => {
  @Kind({ group: 'demo.example.com', version: 'v1' })
  abstract class Idle extends CustomResource {}
  const other = await startCluster({ server: 'embedded', nodes: 0 });
  await other.run(Idle);
  await other.stop();
});

test('a clock is advanced only forward, by numbers', async () => {
  const clock = new FakeClock();
  for (const ms of [-1, Number.NaN])
    await expect(clock.advance(ms)).rejects.toThrow(`cannot advance the clock by ${ms}`);
  expect(() => new FakeClock(Date.parse('tomorrow'))).toThrow('invalid start time NaN');
});
