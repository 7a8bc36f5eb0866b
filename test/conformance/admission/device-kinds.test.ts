import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AdmissionSuite, text, type Json, type Reply } from '../../e2e/admission/admission-suite.js';

const ROOT = '/apis/resource.k8s.io/v1';

let suite: AdmissionSuite;
beforeAll(async () => {
  suite = await AdmissionSuite.start();
});
afterAll(() => suite.stop());

const make = (plural: string, kind: string, spec: object): Promise<Reply> =>
  suite.send('POST', `${ROOT}/${plural}?dryRun=All`, {
    apiVersion: 'resource.k8s.io/v1',
    kind,
    metadata: { name: 'a' },
    spec,
  });
const newClass = (spec: object): Promise<Reply> => make('deviceclasses', 'DeviceClass', spec);
const newSlice = (spec: object): Promise<Reply> => make('resourceslices', 'ResourceSlice', sliceOf(spec));
const sliceOf = (spec: object): object => ({
  driver: 'gpu.example.com',
  pool: { name: 'pool', resourceSliceCount: 1 },
  nodeName: 'node-1',
  ...spec,
});
const device = (more: object): object => ({ devices: [{ name: 'd', ...more }] });
/** The errors, in an order that does not depend on maps. */
const problems = ({ code, body }: Reply): unknown => {
  const causes = (body.details?.causes ?? []) as unknown as Json[];
  return [code, ...causes.map(({ field, message }) => `${text(field)}: ${text(message)}`).sort()];
};
const many = (count: number, make: (index: number) => object): object[] =>
  Array.from({ length: count }, (_, index) => make(index));
const byName = (name: string): object => ({
  matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }],
});
const attributes = (attribute: object): object => device({ attributes: { a: attribute } });

describe('a DeviceClass', () => {
  test.each([
    ['an empty selector', { selectors: [{}] }],
    ['too many selectors', { selectors: many(33, () => ({ cel: { expression: 'true' } })) }],
    ['an empty configuration', { config: [{}] }],
    ['parameters that are not an object', { config: [{ opaque: { driver: 'a.example.com', parameters: 'x' } }] }],
    ['a driver without a name', { config: [{ opaque: { parameters: {} } }] }],
    ['a resource of Kubernetes', { extendedResourceName: 'cpu' }],
  ])('a DeviceClass is rejected with %s', async (_, spec) => {
    expect(problems(await newClass(spec))).toMatchSnapshot();
  });

  test('a DeviceClass selects devices and configures their drivers', async () => {
    const config = [{ opaque: { driver: 'a.example.com', parameters: { a: 1 } } }];
    const selectors = [{ cel: { expression: 'device.driver == "a.example.com"' } }];
    expect((await newClass({ selectors, config, extendedResourceName: 'example.com/gpu' })).code).toBe(201);
  });
});

describe('a ResourceSlice', () => {
  test.each([
    ['no driver', { driver: '' }],
    ['a driver with an invalid name', { driver: 'a_b' }],
    ['a pool without a name', { pool: { name: '', resourceSliceCount: 1 } }],
    ['a pool with an invalid name', { pool: { name: 'a/B_', resourceSliceCount: 1 } }],
    ['a pool without slices', { pool: { name: 'a', resourceSliceCount: 0, generation: -1 } }],
    ['no nodes', { nodeName: undefined }],
    ['a node without a name', { nodeName: '' }],
    ['a node with an invalid name', { nodeName: 'A_' }],
    ['two ways to select nodes', { allNodes: true }],
    ['allNodes false', { nodeName: undefined, allNodes: false }],
    ['a node selector without terms', { nodeName: undefined, nodeSelector: { nodeSelectorTerms: [] } }],
    [
      'a node selector with two terms',
      { nodeName: undefined, nodeSelector: { nodeSelectorTerms: [byName('a'), byName('b')] } },
    ],
    ['devices and counters', { ...device({}), sharedCounters: [{ name: 'c', counters: { x: { value: '1' } } }] }],
    ['counters without a name', { sharedCounters: [{ name: '', counters: { x: { value: '1' } } }] }],
    ['a set without counters', { sharedCounters: [{ name: 'c' }] }],
    ['the same device twice', { devices: [{ name: 'd' }, { name: 'd' }] }],
    ['a device without a name', { devices: [{ name: '' }] }],
    ['too many devices', { devices: many(129, (index) => ({ name: `d${index}` })) }],
    ['an attribute without a value', attributes({})],
    ['an attribute with two values', attributes({ int: 1, bool: true })],
    ['an invalid version', attributes({ version: '1.2' })],
    ['a string that is too long', attributes({ string: 'x'.repeat(65) })],
    ['attributes with invalid names', device({ attributes: { '1a': { int: 1 }, 'A_/b': { int: 1 } } })],
    ['a capacity with an invalid name', device({ capacity: { 'a-b': { value: '1' } } })],
    [
      'too many attributes',
      device({ attributes: Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`a${index}`, { int: 1 }])) }),
    ],
    ['a device with nodes of its own', device({ allNodes: true })],
    [
      'a device without the nodes that it must have',
      { nodeName: undefined, perDeviceNodeSelection: true, ...device({}) },
    ],
    ['a taint without an effect', device({ taints: [{ key: 'a' }] })],
    ['a taint with invalid values', device({ taints: [{ key: '%', value: '%', effect: 'Some' }] })],
    ['an empty consumption of counters', device({ consumesCounters: [{ counterSet: '' }] })],
  ])('a ResourceSlice is rejected with %s', async (_, spec) => {
    expect(problems(await newSlice(spec))).toMatchSnapshot();
  });

  test('a ResourceSlice lists the devices of a node', async () => {
    const all = {
      int: { int: 1 },
      bool: { bool: true },
      string: { string: 's' },
      'a.example.com/v': { version: '1.2.3-a' },
    };
    const taints = [{ key: 'a', effect: 'NoSchedule' }];
    expect((await newSlice(device({ attributes: all, capacity: { memory: { value: '1Gi' } }, taints }))).code).toBe(
      201,
    );
  });

  test('driver, pool and node of a ResourceSlice are immutable', async () => {
    const name = `slice-${Date.now()}`;
    const slice = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice', metadata: { name }, spec: sliceOf({}) };
    await suite.must('POST', `${ROOT}/resourceslices`, slice);
    const spec = sliceOf({
      driver: 'other.example.com',
      pool: { name: 'other', resourceSliceCount: 1 },
      nodeName: 'b',
    });
    const refused = await suite.send(
      'PATCH',
      `${ROOT}/resourceslices/${name}`,
      { spec },
      'application/merge-patch+json',
    );
    await suite.must('DELETE', `${ROOT}/resourceslices/${name}`);
    expect(problems(refused)).toMatchSnapshot();
  });
});
