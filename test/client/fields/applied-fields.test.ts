import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FieldManager } from '../../../src/apiserver/apply/field-manager.js';
import { NO_OTHER_VERSIONS } from '../../../src/apiserver/apply/field-versions.js';
import type { ApiObject } from '../../../src/apiserver/objects/api-object.js';
import { goMergeType } from '../../../src/apiserver/schema/go-merge-type.js';
import { eachObject, objectAt, type JsonObject } from '../../../src/base/json-object.js';
import { AppliedFieldsReader, isAppliedTo, unownedLists } from '../../../src/client/fields/applied-fields.js';

type Labels = Record<string, string>;

const MANAGER = 'gizmo';
const apiVersion = 'v1';

const fields = new FieldManager({
  type: goMergeType('core/v1.Pod'),
  apiVersion,
  subresource: '',
  reset: undefined,
  resetElsewhere: undefined,
  versions: { ...NO_OTHER_VERSIONS, typeOf: () => goMergeType('core/v1.Pod') },
  now: '2026-01-02T03:04:05Z',
  isChecked: false,
  encode: (object) => object,
  empty: {},
});

const pod = (metadata: object, spec: object): JsonObject => ({
  apiVersion,
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'team', ...metadata },
  spec,
});
const reference = (uid: string) => ({ apiVersion: 'v1', kind: 'Gizmo', name: 'a', uid, controller: true });
const nothing = pod({}, {}) as unknown as ApiObject;

/** Returns the object after a manager has applied a configuration, with the default of Kubernetes for protocols. */
function applied(config: JsonObject, live = nothing, manager = MANAGER): ApiObject {
  const next = structuredClone(fields.apply(live, config, manager, true));
  for (const container of eachObject(objectAt(next, 'spec')['containers']))
    for (const port of eachObject(container['ports'])) port['protocol'] ??= 'TCP';
  return { ...next, metadata: { ...next.metadata, uid: 'u' } };
}

function isApplied(present: ApiObject, desired: JsonObject, isUnowned = (_path: string) => false): boolean {
  const [found] = new AppliedFieldsReader().read(present, (manager) => manager === MANAGER) ?? [];
  return found !== undefined && isAppliedTo(present, found, desired, isUnowned);
}

/** Objects with structs, maps, and lists of all types; the list of ports has a key with a default. */
const keys = fc.constantFrom('a', 'b', 'c');
const map = fc.dictionary(keys, fc.constantFrom('1', '2'), { maxKeys: 2 });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const port = fc.record(
  {
    containerPort: fc.constantFrom(80, 81),
    protocol: fc.constantFrom('TCP', 'UDP'),
    name: fc.constantFrom('web', 'api'),
  },
  { requiredKeys: ['containerPort'] },
);
const container = fc.record(
  {
    name: keys,
    image: fc.constantFrom('x', 'y'),
    args: fc.array(keys, { maxLength: 2 }),
    ports: fc.uniqueArray(port, {
      maxLength: 2,
      selector: ({ containerPort, protocol = 'TCP' }) => `${containerPort}${protocol}`,
    }),
    resources: fc.record({ limits: fc.dictionary(fc.constantFrom('cpu', 'memory'), fc.constantFrom('1', '500m')) }),
    securityContext: fc.record({ privileged: fc.boolean() }, { requiredKeys: [] }),
  },
  { requiredKeys: ['name'] },
);
const desiredPod = fc
  .record({
    labels: maybe(map),
    annotations: maybe(map),
    finalizers: maybe(fc.uniqueArray(fc.constantFrom('x/a', 'x/b'), { maxLength: 2 })),
    ownerReferences: maybe(fc.uniqueArray(fc.constantFrom('u1', 'u2'), { maxLength: 2 }).map((u) => u.map(reference))),
    nodeSelector: maybe(map),
    containers: maybe(fc.uniqueArray(container, { maxLength: 2, selector: ({ name }) => name })),
    activeDeadlineSeconds: maybe(fc.integer({ min: 1, max: 2 })),
  })
  .map(({ nodeSelector, containers, activeDeadlineSeconds, ...metadata }) => {
    const object = pod(metadata, { nodeSelector, containers, activeDeadlineSeconds });
    return JSON.parse(JSON.stringify(object)) as JsonObject;
  });

describe('the fields that were applied to an object', () => {
  test.each([
    ['an empty map', { nodeSelector: {} }, true],
    ['a map with members', { nodeSelector: { disk: 'ssd' } }, false],
  ])('%s that the server has not stored counts as applied only if it is empty', (_, spec, isExpected) => {
    const present = applied(pod({}, spec));
    const { nodeSelector: _dropped, ...stored } = objectAt(present, 'spec');
    expect(isApplied({ ...present, spec: stored }, pod({}, spec))).toBe(isExpected);
  });

  test('an object with empty lists counts as applied once an answer has shown which of them own no field', () => {
    const container = { name: 'a', image: 'x', args: [], ports: [], env: [] };
    const desired = pod({ finalizers: [], labels: {} }, { containers: [container], volumes: [], hostname: 'h' });
    const present = applied(desired);
    const [found] = new AppliedFieldsReader().read(present, (manager) => manager === MANAGER) ?? [];
    const unowned = unownedLists(found!.fields, desired);
    expect([...unowned].sort()).toEqual([
      '.metadata.finalizers',
      '.spec.containers[].env',
      '.spec.containers[].ports',
      '.spec.volumes',
    ]);
    expect(isApplied(present, desired)).toBe(false);
    expect(isApplied(present, desired, (path) => unowned.includes(path))).toBe(true);
    const without = pod({ labels: {} }, { containers: [{ ...container, args: undefined }], hostname: 'h' });
    expect(isApplied(applied(without), desired, (path) => unowned.includes(path))).toBe(false);
  });

  test('an object that counts as applied does not change when it is applied', () => {
    const others = fc.array(fc.tuple(desiredPod, fc.constantFrom('other', 'kubectl')), { maxLength: 2 });
    let applies = 0;
    fc.assert(
      fc.property(desiredPod, others, desiredPod, fc.boolean(), (first, writes, second, isChanged) => {
        let live = applied(first);
        for (const [config, manager] of writes) live = applied(config, live, manager);
        const desired = isChanged ? second : first;
        const isUnchanged = fields.apply(live, desired, MANAGER, true) === live;
        if (!isApplied(live, desired)) return;
        applies += 1;
        expect(isUnchanged).toBe(true);
      }),
      { numRuns: 300 },
    );
    expect(applies).toBeGreaterThan(0);
  });

  test('an object without empty values counts as applied after it was applied, whatever others add', () => {
    const isFull = (value: unknown): boolean =>
      typeof value !== 'object' ||
      value === null ||
      (Object.keys(value).length > 0 && Object.values(value).every(isFull));
    const full = desiredPod.filter(isFull);
    const addition = fc.constantFrom<Labels>({}, { other: 'x' });
    fc.assert(
      fc.property(full, addition, addition, (desired, labels, annotations) => {
        const live = applied(pod({ labels, annotations }, { hostname: 'h' }), applied(desired), 'other');
        expect(isApplied(live, desired)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  const spec = { containers: [{ name: 'a', image: 'x', args: ['1'], ports: [{ containerPort: 80 }] }] };
  const metadata = { labels: { a: '1' }, ownerReferences: [reference('u1')], finalizers: ['x/a'] };
  const desired = pod(metadata, spec);
  const [web] = spec.containers;

  test.each<[string, JsonObject]>([
    ['removes a label', pod({ ...metadata, labels: {} }, spec)],
    ['removes an owner reference', pod({ ...metadata, ownerReferences: [] }, spec)],
    ['has another owner reference', pod({ ...metadata, ownerReferences: [reference('u2')] }, spec)],
    ['removes a finalizer', pod({ ...metadata, finalizers: undefined }, spec)],
    ['removes all metadata', pod({}, spec)],
    ['changes an atomic list', pod(metadata, { containers: [{ ...web, args: ['1', '2'] }] })],
    ['changes an item', pod(metadata, { containers: [{ ...web, image: 'y' }] })],
    ['removes a field of an item', pod(metadata, { containers: [{ name: 'a', image: 'x', args: ['1'] }] })],
    ['adds an item', pod(metadata, { containers: [web, { name: 'b' }] })],
    [
      'names a default key',
      pod(metadata, { containers: [{ ...web, ports: [{ containerPort: 80, protocol: 'TCP' }] }] }),
    ],
    ['has another version', { ...desired, apiVersion: 'v2' }],
  ])('an object that %s does not count as applied', (_, changed) => {
    const live = applied(desired);
    expect(isApplied(live, desired)).toBe(true);
    expect(isApplied(live, JSON.parse(JSON.stringify(changed)) as JsonObject)).toBe(false);
  });

  test('an object with unknown elements in its fields does not count as applied', () => {
    const live = applied(desired);
    const [entry] = live.metadata.managedFields ?? [];
    const unknown = { ...entry, fieldsV1: { ...entry?.fieldsV1, 'x:new': {} } };
    const metadataOf = { ...live.metadata, managedFields: [unknown] };
    expect(isApplied({ ...live, metadata: metadataOf }, desired)).toBe(false);
  });

  test('the fields of objects that differ in their owners are kept once', () => {
    const reader = new AppliedFieldsReader();
    const [one, two] = ['u1', 'u2'].map((uid) => {
      const live = applied(pod({ ...metadata, ownerReferences: [reference(uid)] }, spec));
      return reader.read(live, () => true)?.[0];
    });
    expect(one).toMatchObject({ manager: MANAGER, ownsReferences: true });
    expect(one).toBe(two);
  });
});
