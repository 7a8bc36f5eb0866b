import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { text, type Json } from '../../e2e/admission/admission-suite.js';
import { ClusterSuite, items } from './cluster-suite.js';

let suite: ClusterSuite;
beforeAll(async () => {
  suite = await ClusterSuite.start();
});
afterAll(() => suite.stop());
beforeEach(() => suite.begin());

const SLICES = 'discovery.k8s.io/v1/endpointslices';
const newService = (spec: object): Promise<Json> =>
  suite.create('services', 'Service', 'web', { spec: { ports: [{ port: 80 }], ...spec } });
const slicesOnce = async (isWanted: (slices: Json[]) => boolean): Promise<Json[]> =>
  items(await suite.once(suite.path(SLICES), (list) => isWanted(items(list))));
const addressOf = ({ endpoints }: Json): string =>
  JSON.stringify(endpoints).replace(/.*"addresses":\["([^"]*).*/, '$1');

test('the slices and Endpoints of a Service are recreated when they are deleted', async () => {
  await newService({ selector: { app: 'a' } });
  const [slice] = await slicesOnce((slices) => slices.length === 1);
  await suite.requests.send('DELETE', suite.path(SLICES, text(slice!.metadata!.name)));
  await slicesOnce((slices) => slices.length === 1 && slices[0]!.metadata!.uid !== slice!.metadata!.uid);
  const endpoints = await suite.once(suite.path('endpoints', 'web'), ({ kind }) => text(kind) === 'Endpoints');
  await suite.requests.send('DELETE', suite.path('endpoints', 'web'));
  const isNew = ({ metadata }: Json): boolean =>
    metadata?.uid !== undefined && metadata.uid !== endpoints.metadata!.uid;
  await suite.once(suite.path('endpoints', 'web'), isNew);
});

test('Endpoints that were created by hand for a Service are mirrored in slices', async () => {
  await newService({});
  const subset = (ip: string): object => ({ addresses: [{ ip }], ports: [{ port: 80 }] });
  const annotations = { note: 'kept', 'kubectl.kubernetes.io/last-applied-configuration': '{}' };
  const metadata = { annotations, labels: { app: 'a' } };
  await suite.create('endpoints', 'Endpoints', 'web', { subsets: [subset('10.1.2.3')] }, metadata);
  const [slice] = await slicesOnce((slices) => slices.length === 1);
  expect(slice).toMatchObject({
    metadata: {
      generateName: 'web-',
      annotations: { note: 'kept' },
      labels: {
        app: 'a',
        'endpointslice.kubernetes.io/managed-by': 'endpointslicemirroring-controller.k8s.io',
        'kubernetes.io/service-name': 'web',
      },
      ownerReferences: [{ kind: 'Endpoints', name: 'web', controller: true, blockOwnerDeletion: true }],
    },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.1.2.3'], conditions: { ready: true } }],
    ports: [{ name: '', port: 80, protocol: 'TCP' }],
  });
  expect(slice!.metadata!.annotations).toEqual({ note: 'kept' });
  await suite.patch(suite.path('endpoints', 'web'), { subsets: [subset('10.2.3.4')] });
  const [changed] = await slicesOnce((slices) => slices.length === 1 && addressOf(slices[0]!) === '10.2.3.4');
  expect(changed!.metadata!.uid).toBe(slice!.metadata!.uid);
  await suite.requests.send('DELETE', suite.path('endpoints', 'web'));
  await slicesOnce((slices) => slices.length === 0);
});

test('Endpoints with the label to skip mirroring, or without a Service, are not mirrored', async () => {
  await newService({});
  const subsets = [{ addresses: [{ ip: '10.1.2.3' }], ports: [{ port: 80 }] }];
  await suite.create('endpoints', 'Endpoints', 'alone', { subsets });
  const labels = { 'endpointslice.kubernetes.io/skip-mirror': 'true' };
  await suite.create('endpoints', 'Endpoints', 'web', { subsets }, { labels });
  await suite.patch(suite.path('endpoints', 'web'), { metadata: { labels: null } });
  const slices = await slicesOnce((found) => found.length > 0);
  expect(slices.map(({ metadata }) => metadata!.generateName)).toEqual(['web-']);
});
