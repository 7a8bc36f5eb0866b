import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CoreEvent, Pod, type Client } from 'kindwright';
import { eventually } from 'kindwright/testing';
import { PodBugger } from '../../operators/podbugger.js';
import { startSuite, type OperatorSuite } from './operator-suite.js';

let suite: OperatorSuite;
let client: Client;
const namespace = 'default';

beforeAll(async () => {
  suite = await startSuite('podbugger');
  client = suite.client;
});
afterAll(() => suite.stop());

const createPod = (name: string, labels: Record<string, string>, extra: object = {}) =>
  client.create(Pod, {
    metadata: { name, namespace, labels },
    spec: { containers: [{ name: 'main', image: 'nginx' }], ...extra },
  });
const debuggers = async (name: string) => {
  const { spec } = await client.get(Pod, name, { namespace });
  return (spec?.ephemeralContainers ?? []).map((container) => [container.name, container.image]);
};
const status = async (name: string) => (await client.get(PodBugger, name, { namespace })).status;
const carriers = (name: string, pods: string[]) =>
  eventually(async () => expect((await status(name))?.pods).toEqual(pods));
const condition = (name: string, expected: object) =>
  eventually(async () => expect((await status(name))?.conditions).toMatchObject([expected]));

describe('PodBugger', () => {
  test('a PodBugger adds its container to the matching running pod and to no other', async () => {
    await createPod('web-1', { app: 'web' });
    await createPod('db-1', { app: 'db' });
    const spec = {
      selector: { matchLabels: { app: 'web' } },
      image: 'busybox',
      command: ['sh'],
      targetContainer: 'main',
    };
    await client.create(PodBugger, { metadata: { name: 'dbg', namespace }, spec });
    await carriers('dbg', ['web-1']);
    const { spec: pod } = await client.get(Pod, 'web-1', { namespace });
    expect(pod?.ephemeralContainers).toMatchObject([
      { name: 'podbugger-dbg', image: 'busybox', command: ['sh'], targetContainerName: 'main' },
    ]);
    expect(await debuggers('db-1')).toEqual([]);
    await condition('dbg', { type: 'Ready', status: 'True', reason: 'Attached' });
  });

  test('a pod created later gets the container of a PodBugger once', async () => {
    await createPod('web-2', { app: 'web' });
    await carriers('dbg', ['web-1', 'web-2']);
    expect(await debuggers('web-2')).toEqual([['podbugger-dbg', 'busybox']]);
  });

  test('a pod whose labels are changed to match gets the container', async () => {
    await client.patch(Pod, 'db-1', { metadata: { labels: { app: 'web' } } }, { namespace });
    await carriers('dbg', ['db-1', 'web-1', 'web-2']);
  });

  test('a PodBugger selects pods with matchExpressions too', async () => {
    const selector = { matchExpressions: [{ key: 'tier', operator: 'In' as const, values: ['front'] }] };
    await client.create(PodBugger, { metadata: { name: 'expr', namespace }, spec: { selector, image: 'busybox' } });
    await createPod('front-1', { tier: 'front' });
    await carriers('expr', ['front-1']);
  });

  test('a pod that does not run is not changed until it does', async () => {
    await createPod('waiting', { app: 'web' }, { schedulingGates: [{ name: 'example.com/hold' }] });
    await suite.quiet();
    expect(await debuggers('waiting')).toEqual([]);
    await client.patch(Pod, 'waiting', [{ op: 'remove', path: '/spec/schedulingGates' }], { namespace, type: 'json' });
    await carriers('dbg', ['db-1', 'waiting', 'web-1', 'web-2']);
  });

  test('a changed image of a PodBugger adds no second container and is reported in the condition', async () => {
    await client.patch(PodBugger, 'dbg', { spec: { image: 'alpine' } }, { namespace });
    await condition('dbg', { type: 'Ready', status: 'False', reason: 'NotAttached' });
    expect((await status('dbg'))?.conditions?.[0]?.message).toContain('pod web-1: has image busybox');
    expect(await debuggers('web-1')).toEqual([['podbugger-dbg', 'busybox']]);
    await client.patch(PodBugger, 'dbg', { spec: { image: 'busybox' } }, { namespace });
    await condition('dbg', { status: 'True' });
  });

  test('a rejection by the server becomes a condition and an Event, without a storm of retries', async () => {
    const containers = [{ name: 'podbugger-taken', image: 'nginx' }];
    await createPod('taken', { app: 'taken' }, { containers });
    const spec = { selector: { matchLabels: { app: 'taken' } }, image: 'busybox' };
    await client.create(PodBugger, { metadata: { name: 'taken', namespace }, spec });
    await condition('taken', { type: 'Ready', status: 'False', reason: 'NotAttached' });
    const told = async () =>
      (await client.list(CoreEvent, { namespace, fieldSelector: 'involvedObject.name=taken,reason=Refused' })).items;
    await eventually(async () => expect(await told()).toHaveLength(1));
    await suite.quiet();
    expect((await told()).map(({ type, series }) => [type, (series?.count ?? 1) <= 3])).toEqual([['Warning', true]]);
  });

  test('a deleted pod is removed from the status of a PodBugger', async () => {
    await client.delete(Pod, 'web-1', { namespace, gracePeriodSeconds: 0 });
    await carriers('dbg', ['db-1', 'waiting', 'web-2']);
  });

  test('an operator that was killed and restarted adds no container twice and finds new pods', async () => {
    await suite.kill();
    await createPod('late', { app: 'web' });
    await suite.start();
    await carriers('dbg', ['db-1', 'late', 'waiting', 'web-2']);
    expect(await debuggers('web-2')).toEqual([['podbugger-dbg', 'busybox']]);
  });

  test('a PodBugger without image or selector is rejected', async () => {
    const create = (spec: object) => client.create(PodBugger, { metadata: { name: 'bad', namespace }, spec });
    await expect(create({ selector: {} })).rejects.toThrow(/spec\.image: Required value/);
    await expect(create({ image: 'busybox' })).rejects.toThrow(/spec\.selector: Required value/);
    await expect(create({ selector: {}, image: '' })).rejects.toThrow(/spec\.image/);
  });

  test('PodBugger needs only the permissions that are generated for it', () => suite.account.expectNoForbiddenCall());
});
