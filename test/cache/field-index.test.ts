import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { indexBy } from '../../src/api/selection/cache-index.js';
import type { KindRef } from '../../src/api/kinds/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../../src/api/objects/kube-object.js';
import { objectKey } from '../../src/api/objects/object-key.js';
import { objectFilter, type ListerOptions } from '../../src/api/selection/object-filter.js';
import { inIndex, withLabel } from '../../src/cache/look-up.js';
import { Lister } from '../../src/cache/lister.js';
import { Store } from '../../src/cache/store.js';
import { mapOf, widget, Widget } from './objects.js';

interface TestPod extends KubeObject {
  readonly spec?: {
    readonly nodeName?: string;
    readonly replicas?: number;
    readonly containers?: { image?: string }[];
  };
  readonly status?: { readonly ready?: boolean };
}

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const image = fc.constantFrom('x', 'y');
const nodeName = fc.constantFrom('n1', 'n2', 'constructor', '');
const namespace = fc.constantFrom('a', 'b');
const owner = fc.constantFrom('o1', 'o2');
const app = fc.constantFrom('web', 'db');

const pod: fc.Arbitrary<TestPod> = fc
  .record({
    name: fc.constantFrom('a', 'b', 'c', 'd'),
    namespace,
    app: optional(app),
    owner: optional(owner),
    spec: optional(
      fc.record(
        {
          nodeName,
          replicas: fc.constantFrom(1, 2),
          containers: fc.array(fc.record({ image }, { requiredKeys: [] }), { maxLength: 3 }),
        },
        { requiredKeys: [] },
      ),
    ),
    ready: optional(fc.boolean()),
  })
  .map(({ name, namespace: ns, app: label, owner: uid, spec, ready }) => ({
    ...widget(name, 1, {
      namespace: ns,
      labels: label === undefined ? {} : { app: label },
      ownerReferences: uid === undefined ? [] : [{ apiVersion: 'v1', kind: 'Owner', name: uid, uid }],
    }),
    ...(spec && { spec }),
    ...(ready !== undefined && { status: { ready } }),
  }));

const query = fc.record(
  {
    namespace,
    app,
    owner,
    nodeName,
    replicas: fc.constantFrom(1, 2),
    image,
    ready: fc.boolean(),
    placed: fc.constantFrom('n1/web', 'n2/db'),
  },
  { requiredKeys: [] },
);
type Query = typeof query extends fc.Arbitrary<infer Q> ? Q : never;

const step = fc.oneof(
  fc.record({ do: fc.constant('set' as const), pod }),
  fc.record({ do: fc.constant('delete' as const), pod }),
  fc.record({ do: fc.constant('replace' as const), pods: fc.array(pod, { maxLength: 4 }) }),
  fc.record({ do: fc.constant('list' as const), query }),
  fc.record({ do: fc.constant('prepare' as const), query }),
  fc.record({ do: fc.constant('build' as const), steps: fc.nat(3) }),
);

const PLACED = indexBy<KindRef<TestPod>, 'spec.nodeName'>(Widget, {
  reads: ['spec.nodeName'],
  values: ({ metadata, spec }) => [`${spec?.nodeName ?? ''}/${metadata.labels?.['app'] ?? ''}`],
});

function optionsOf({ namespace: ns, app: label, owner: uid, placed, ...fields }: Query): ListerOptions {
  const paths = {
    nodeName: 'spec.nodeName',
    replicas: 'spec.replicas',
    image: 'spec.containers[*].image',
    ready: 'status.ready',
  };
  return {
    ...(ns !== undefined && { namespace: ns }),
    ...(label !== undefined && { labels: { app: label } }),
    ...(uid !== undefined && { ownerUid: uid }),
    ...(placed !== undefined && { index: { by: PLACED, value: placed } }),
    where: Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [paths[name as keyof typeof paths], value]),
    ),
  };
}

/** The values of an object for each member of a query, read without paths. */
const valuesOf: Readonly<Record<keyof Query, (object: TestPod) => readonly unknown[]>> = {
  namespace: ({ metadata }) => [metadata.namespace],
  app: ({ metadata }) => [metadata.labels?.['app']],
  owner: ({ metadata }) => [metadata.ownerReferences?.[0]?.uid],
  nodeName: ({ spec }) => [spec?.nodeName],
  replicas: ({ spec }) => [spec?.replicas],
  image: ({ spec }) => spec?.containers?.map((container) => container.image) ?? [],
  ready: ({ status }) => [status?.ready],
  placed: ({ metadata, spec }) => [`${spec?.nodeName ?? ''}/${metadata.labels?.['app'] ?? ''}`],
};

function isFound(object: TestPod, wanted: Query): boolean {
  return Object.entries(wanted).every(([name, value]) => valuesOf[name as keyof Query](object).includes(value));
}

function buildSome(store: Store, count: number): void {
  const steps = store.buildIndexes()[Symbol.iterator]();
  for (let i = 0; i < count; i++) steps.next();
}

const keys = (objects: Iterable<ReadonlyDeep<KubeObject>>) => [...objects].map(objectKey).sort();

describe('a list by fields', () => {
  test('a list by fields or indexes returns the same as a scan of all objects, after any sequence of changes', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), query, (steps, last) => {
        const store = new Store<TestPod>();
        const lister = new Lister([store]);
        const model = new Map<string, TestPod>();
        const check = (wanted: Query): void => {
          const expected = [...model.values()].filter((each) => isFound(each, wanted));
          expect(keys(lister.list(optionsOf(wanted)))).toEqual(keys(expected));
        };
        for (const each of steps) {
          if (each.do === 'list') check(each.query);
          else if (each.do === 'prepare') {
            if (each.query.placed !== undefined) store.prepare(inIndex({ by: PLACED, value: each.query.placed }));
            if (each.query.app !== undefined) store.prepare(withLabel('app', each.query.app));
          } else if (each.do === 'build') buildSome(store, each.steps);
          else if (each.do === 'replace') {
            model.clear();
            for (const one of each.pods) model.set(objectKey(one), one);
            store.replace(mapOf(...each.pods));
          } else if (each.do === 'delete') {
            model.delete(objectKey(each.pod));
            store.delete(objectKey(each.pod));
          } else {
            model.set(objectKey(each.pod), each.pod);
            store.set(objectKey(each.pod), each.pod);
          }
        }
        check(last);
      }),
      { numRuns: 300 },
    );
  });

  test('a list by a path without scalar values is empty', () => {
    const store = new Store<TestPod>();
    store.replace(mapOf({ ...widget('a', 1), spec: { nodeName: 'n1' } } as TestPod));
    const lister = new Lister([store]);
    expect(lister.list({ where: { spec: 'n1' } })).toEqual([]);
    expect(lister.list({ where: { 'spec.nodeName.length': '2' } })).toEqual([]);
    expect(lister.list({ where: {} })).toHaveLength(1);
  });
});

test('the name of an earlier version for values, fields or labels is an error that names the new one', () => {
  const kind = PLACED.kind;
  const former = { fields: {} } as ListerOptions;
  expect(() => objectFilter(kind, former)).toThrow(
    expect.objectContaining({ code: 'E_RENAMED', hint: "write where: { 'spec.nodeName': 'node-1' }" }),
  );
  expect(() => objectFilter(kind, { selector: {} } as ListerOptions)).toThrow(
    expect.objectContaining({ code: 'E_RENAMED', hint: "write labelSelector: 'app=web'" }),
  );
  expect(() => indexBy(kind, { fields: ['spec.nodeName'] } as never)).toThrow(
    expect.objectContaining({ code: 'E_RENAMED', hint: "write reads: ['spec.nodeName']" }),
  );
});
