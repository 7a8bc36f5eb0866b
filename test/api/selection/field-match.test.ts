import { describe, expect, test } from '@jest/globals';
import { partOf, Pod, type CacheReader, type Context, type UnstructuredObject } from 'kindwright';
import { fieldMatcher } from '../../../src/api/selection/field-match.js';
import { toKindRef, type KindRef } from '../../../src/api/kinds/kind-ref.js';

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', annotations: { note: 'x' } },
  spec: { nodeName: 'n', hostNetwork: true, containers: [{ name: 'a', image: 'x' }, { name: 'b' }] },
};

describe('fieldMatcher', () => {
  test.each<[string, Record<string, string | number | boolean>, boolean]>([
    ['a string', { 'spec.nodeName': 'n' }, true],
    ['another string', { 'spec.nodeName': 'm' }, false],
    ['a boolean', { 'spec.hostNetwork': true }, true],
    ['an item of a list', { 'spec.containers[*].name': 'b' }, true],
    ['no item of a list', { 'spec.containers[*].name': 'c' }, false],
    ['a missing field', { 'status.phase': '' }, false],
    ['all of several fields', { 'spec.nodeName': 'n', 'metadata.name': 'p' }, true],
    ['one of several fields', { 'spec.nodeName': 'n', 'metadata.name': 'q' }, false],
  ])('fieldMatcher compares %s', (_, fields, expected) => {
    expect(fieldMatcher(Pod, fields)(pod)).toBe(expected);
  });
});

describe('a field of a part', () => {
  const evaluate = (part: KindRef, path: string) => () => fieldMatcher(part, { [path]: 'n' })(pod);

  test('a field selector with a field that the part does not have is an error', () => {
    const part = partOf(Pod, { fields: ['status.phase', 'spec.containers[*].image'] });
    expect(evaluate(part, 'spec.nodeName')).toThrow(
      expect.objectContaining({
        code: 'E_PART',
        message: 'spec.nodeName is not a field of the part of Pod that is read',
        hint: `add 'spec.nodeName' to the fields of partOf(Pod, …)`,
      }),
    );
    for (const path of ['spec.containers[*].name', 'status', 'metadata.annotations.note'])
      expect(evaluate(part, path)).toThrow('is not a field of the part');
  });

  test('a field selector finds metadata and the fields of the part', () => {
    const part = partOf(Pod, { fields: ['status', 'spec.containers[*].image'] });
    for (const path of ['metadata.name', 'kind', 'status.phase', 'status.podIP', 'spec.containers.image'])
      expect(evaluate(part, path)()).toBe(false);
    const selected = partOf(Pod, { labelSelector: 'app' });
    expect(evaluate(selected, 'spec.nodeName')()).toBe(true);
    const withAnnotations = partOf(Pod, { metadataOnly: true });
    expect(evaluate(withAnnotations, 'metadata.annotations.note')()).toBe(false);
  });
});

test('the type checks paths and values of a list by fields', () => {
  const Phase = partOf(Pod, { fields: ['status.phase', 'spec.containers[*].image'] });
  const Unstructured = toKindRef<UnstructuredObject>({ ...Pod, kind: 'Anything' } as KindRef<UnstructuredObject>);
  const compiled = (ctx: Context, cache: CacheReader): unknown[] => [
    ctx.list(Pod, { where: { 'spec.nodeName': 'n', 'spec.hostNetwork': true, 'metadata.finalizers': 'a/b' } }),
    ctx.list(Pod, { where: { 'spec.containers[*].ports[*].containerPort': 80 }, labels: { app: 'x' } }),
    ctx.list(Phase, { where: { 'status.phase': 'Running', 'metadata.name': 'p' } }),
    cache.list(Phase, { where: { 'spec.containers[*].image': 'x' } }).map(({ status }) => status?.phase),
    ctx.list(Unstructured, { where: { 'spec.any.field': 1 } }),
    ctx.list(Pod, { namespace: 'a' }),
    // @ts-expect-error -- no such field
    ctx.list(Pod, { where: { 'spec.nodeNam': 'n' } }),
    // @ts-expect-error -- a list needs [*]
    ctx.list(Pod, { where: { 'spec.containers.image': 'n' } }),
    // @ts-expect-error -- of another type
    ctx.list(Pod, { where: { 'spec.hostNetwork': 'true' } }),
    // @ts-expect-error -- not a scalar
    ctx.list(Pod, { fields: { spec: 'n' } }),
    // @ts-expect-error -- labels have an option of their own
    ctx.list(Pod, { where: { 'metadata.labels': 'n' } }),
    // @ts-expect-error -- not in the part
    ctx.list(Phase, { where: { 'spec.nodeName': 'n' } }),
    // @ts-expect-error -- not in the part
    cache.list(Phase, { where: { 'status.podIP': 'n' } }),
  ];
  expect(compiled).toBeInstanceOf(Function);
});
