import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Job, Node, partOf, Pod, type KindRef, type KubeObject, type ObjectOf } from 'kindwright';
import { cacheKey } from '../../../src/api/kinds/kind-ref.js';
import { formatSelector, matchesSelector, type LabelSelector } from '../../../src/api/selection/label-selector.js';
import { parseLabelSelector } from '../../../src/api/selection/parse-label-selector.js';

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'p',
    namespace: 'ns',
    uid: 'u',
    resourceVersion: '7',
    generation: 2,
    labels: { app: 'web' },
    annotations: { note: 'long' },
    finalizers: ['a/b'],
    ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'un' }],
  },
  spec: { nodeName: 'n', containers: [{ name: 'a', image: 'x' }, { name: 'b' }] },
  status: { phase: 'Running', podIP: '10.0.0.1' },
};
const { annotations, ...metadata } = pod.metadata;

const reduced = (kind: KindRef, object: KubeObject = pod) => kind.part?.reduce?.(structuredClone(object));

describe('a part with fields', () => {
  test('a part with fields contains these and metadata without annotations', () => {
    const part = partOf(Pod, { fields: ['status.phase', 'spec.nodeName'] });
    expect(reduced(part)).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata,
      spec: { nodeName: 'n' },
      status: { phase: 'Running' },
    });
  });

  test('a part with fields can contain fields of the items of a list', () => {
    const part = partOf(Pod, { fields: ['spec.containers[*].image'] });
    expect(reduced(part)).toMatchObject({ spec: { containers: [{ image: 'x' }, {}] } });
    expect(reduced(part)).not.toHaveProperty('spec.containers.0.name');
  });

  test('a part contains a field as a whole if it is selected together with a field in it', () => {
    const part = partOf(Pod, { fields: ['status', 'status.phase'] });
    expect(reduced(part)).toHaveProperty('status', pod.status);
  });

  test('a part has no fields that the object does not have', () => {
    const part = partOf(Pod, { fields: ['status.phase'] });
    expect(Object.keys(reduced(part, { metadata: { name: 'a' } }) ?? {})).toEqual(['apiVersion', 'kind', 'metadata']);
  });

  test('a part without fields of the object is requested as metadata', () => {
    const part = partOf(Pod, { fields: ['metadata.annotations'] });
    expect(part.part?.isMetadataOnly).toBe(true);
    expect(reduced(part)).toEqual({ apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, annotations } });
    expect(partOf(Pod, { fields: ['status.phase'] }).part?.isMetadataOnly).toBe(false);
  });

  test('the type of a part has only the fields of the part', () => {
    const part = partOf(Pod, { fields: ['status.phase', 'spec.containers[*].image'] });
    const read = (object: ObjectOf<typeof part>): unknown[] => [
      object.status?.phase,
      object.spec?.containers[0]?.image,
      object.metadata.labels,
      // @ts-expect-error -- not in the part
      object.status?.podIP,
      // @ts-expect-error -- not in the part
      object.spec?.containers[0]?.name,
      // @ts-expect-error -- not in the part
      object.metadata.annotations,
    ];
    expect(read(reduced(part) as ObjectOf<typeof part>)).toEqual([
      'Running',
      'x',
      { app: 'web' },
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('a part accepts only paths of fields of the kind', () => {
    // @ts-expect-error -- no such field
    expect(partOf(Pod, { fields: ['status.phse'] }).part).toBeDefined();
    // @ts-expect-error -- a list needs [*]
    expect(partOf(Pod, { fields: ['spec.containers.image'] }).part).toBeDefined();
  });
});

test('a part with metadataOnly contains metadata with annotations', () => {
  const part = partOf(Pod, { metadataOnly: true });
  expect(part.part?.isMetadataOnly).toBe(true);
  expect(reduced(part)).toEqual({ apiVersion: 'v1', kind: 'Pod', metadata: pod.metadata });
});

test('metadata of PartialObjectMetadata gets the kind of the part', () => {
  const partial = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata: pod.metadata };
  expect(reduced(partOf(Pod, { metadataOnly: true }), partial)).toMatchObject({ apiVersion: 'v1', kind: 'Pod' });
});

describe('transform', () => {
  test('transform is called after the other fields were dropped', () => {
    const part = partOf(Pod, {
      fields: ['status'],
      transform: (object) => ({ ...object, status: { phase: object.status?.phase ?? '' } }),
    });
    expect(reduced(part)).toEqual({ apiVersion: 'v1', kind: 'Pod', metadata, status: { phase: 'Running' } });
  });

  test('an error of a transform names the object', () => {
    const cause = new TypeError('no phase');
    const part = partOf(Pod, {
      transform: () => {
        throw cause;
      },
    });
    expect(() => reduced(part)).toThrow(
      expect.objectContaining({
        code: 'E_PART',
        message: expect.stringMatching(/^the transform of a part of Pod failed for \S+: no phase$/) as unknown,
        cause,
      }),
    );
  });

  test('transform must keep the identity of the object', () => {
    const part = partOf(Pod, { transform: (object) => ({ ...object, metadata: { name: 'other' } }) });
    expect(() => reduced(part)).toThrow('must keep name, namespace, uid and resourceVersion');
  });
});

test('contradictory options of a part are rejected', () => {
  expect(() => partOf(Pod, { metadataOnly: true, fields: ['status'] } as never)).toThrow(
    expect.objectContaining({ code: 'E_PART', message: expect.stringContaining('metadataOnly') as unknown }),
  );
  expect(() => partOf(partOf(Pod, { metadataOnly: true }), { metadataOnly: true })).toThrow('is already a part');
});

test('parts with equal options have the same cache, and others do not', () => {
  const transform = (object: Node): Node => object;
  const key = (kind: KindRef): string => cacheKey(kind);
  expect(key(partOf(Pod, { fields: ['status', 'spec'] }))).toBe(key(partOf(Pod, { fields: ['spec', 'status'] })));
  expect(key(partOf(Node, { transform }))).toBe(key(partOf(Node, { transform })));
  expect(key(partOf(Pod, { namespaces: ['b', 'a', 'b'] }))).toBe(key(partOf(Pod, { namespaces: ['a', 'b'] })));
  const parts = [
    Node,
    partOf(Node, { transform }),
    partOf(Node, { transform: (object) => object }),
    partOf(Node, { metadataOnly: true }),
    partOf(Node, { fields: ['status'] }),
    partOf(Node, { labelSelector: 'a' }),
    partOf(Node, { fieldSelector: 'metadata.name=a' }),
    partOf(Node, { namespaces: ['a'] }),
  ];
  expect(new Set(parts.map(key)).size).toBe(parts.length);
});

describe('selectors', () => {
  const matches = (object: object, labelSelector?: string, fieldSelector?: string) =>
    partOf(Pod, { ...(labelSelector && { labelSelector }), ...(fieldSelector && { fieldSelector }) }).part?.matches({
      ...pod,
      ...object,
    });

  test.each<[string | undefined, string | undefined, boolean | undefined]>([
    ['app', undefined, true],
    ['!app', undefined, false],
    ['app=web', undefined, true],
    ['app==web,tier!=db', undefined, true],
    ['app!=web', undefined, false],
    ['app in (web,api)', undefined, true],
    ['app notin (web, api)', undefined, false],
    ['app>1', undefined, undefined],
    ['app>1', 'status.phase=Failed', false],
    [undefined, 'status.phase=Running,spec.nodeName!=m', true],
    [undefined, 'status.phase!=Running', false],
    [undefined, 'metadata.namespace=ns', true],
    [undefined, 'spec.hostNetwork=false', undefined],
    ['app=db', 'spec.hostNetwork=false', false],
  ])('a selector of a part accepts or rejects an object: %s %s: %s', (labelSelector, fieldSelector, expected) => {
    expect(matches({}, labelSelector, fieldSelector)).toBe(expected);
  });

  test('selectors with fields that an object does not have are left to the server', () => {
    const job = { ...pod, status: { succeeded: 1 } };
    expect(partOf(Job, { fieldSelector: 'status.successful=1' }).part?.matches(job)).toBeUndefined();
  });

  test('a selector has the same meaning as text and as an object', () => {
    const word = fc.constantFrom('a', 'b.c/d', 'e-f');
    const operator = fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist');
    const requirement = fc
      .record({ key: word, operator, values: fc.array(word, { minLength: 1, maxLength: 3 }) })
      .map(({ values, ...rest }) => (rest.operator.endsWith('In') ? { ...rest, values } : rest));
    const selector = fc.record({
      matchLabels: fc.dictionary(word, word),
      matchExpressions: fc.array(requirement),
    }) as fc.Arbitrary<LabelSelector>;
    fc.assert(
      fc.property(selector, fc.dictionary(word, word), (one, labels) => {
        const parsed = parseLabelSelector(formatSelector(one));
        expect(parsed && matchesSelector(parsed, labels)).toBe(matchesSelector(one, labels));
      }),
    );
  });
});
