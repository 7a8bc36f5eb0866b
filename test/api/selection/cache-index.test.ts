import { describe, expect, test } from '@jest/globals';
import { indexBy, kindByName, partOf, Pod, Secret, type CacheReader, type Context } from 'kindwright';
import { objectFilter } from '../../../src/api/selection/object-filter.js';

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'ns' },
  spec: {
    nodeName: 'n',
    volumes: [
      { name: 'a', secret: { secretName: 's' } },
      { name: 'b', configMap: { name: 'm' } },
    ],
  },
};
const byVolume = indexBy(Pod, { reads: ['spec.volumes[*].secret.secretName', 'spec.volumes[*].configMap.name'] });
const byNode = indexBy(Pod, {
  reads: ['spec.nodeName'],
  values: ({ metadata, spec }) => [`${metadata.namespace ?? ''}/${spec?.nodeName ?? ''}`],
});

describe('indexBy', () => {
  test('the values of an index are those of its fields, or those that its function returns', () => {
    expect(byVolume.valuesOf(pod)).toEqual(['s', 'm']);
    expect(byNode.valuesOf(pod)).toEqual(['ns/n']);
    expect(objectFilter(Pod, { index: { by: byNode, value: 'ns/n' } })(pod)).toBe(true);
    expect(objectFilter(Pod, { index: { by: byNode, value: 'n' } })(pod)).toBe(false);
  });

  test('an index whose function returns a string is an error', () => {
    const wrong = indexBy(Pod, { reads: [], values: (() => 'n') as never });
    expect(() => wrong.valuesOf(pod)).toThrow(
      expect.objectContaining({
        code: 'E_INDEX',
        message: 'an index of Pod returned the string "n" instead of a list of values',
        hint: 'return ["n"]',
      }),
    );
  });

  test('a read by an index of another kind, or of fields that the part does not have, is an error', () => {
    expect(() => objectFilter(Secret, { index: { by: byNode, value: 'n' } })).toThrow(
      expect.objectContaining({ code: 'E_INDEX', message: 'an index of Pod cannot find Secret objects' }),
    );
    const part = partOf(Pod, { fields: ['status.phase'] });
    expect(() => objectFilter(part, { index: { by: byNode, value: 'n' } })).toThrow(
      expect.objectContaining({
        code: 'E_PART',
        message: 'spec.nodeName is not a field of the part of Pod that is read',
      }),
    );
    const held = partOf(Pod, { fields: ['spec.nodeName'] });
    expect(objectFilter(held, { index: { by: byNode, value: 'ns/n' } })(pod)).toBe(true);
  });
});

test('the types check the fields of an index, and the kind that is read by it', () => {
  const Phase = partOf(Pod, { fields: ['status.phase'] });
  const Any = kindByName({ group: 'x.example.com', version: 'v1', kind: 'Any' });
  const compiled = (ctx: Context, cache: CacheReader): unknown[] => [
    ctx.list(Pod, { index: { by: byNode, value: 'n' }, where: { 'status.phase': 'Running' } }),
    cache.list(Pod, { index: { by: byVolume, value: 's' } }).map(({ spec }) => spec?.nodeName),
    indexBy(Any, { reads: ['spec.any'] }),
    // @ts-expect-error -- no such field
    indexBy(Pod, { reads: ['spec.nodeNam'] }),
    // @ts-expect-error -- a field that the index does not name
    indexBy(Pod, { reads: ['spec.nodeName'], values: ({ spec }) => (spec?.hostname ? ['a'] : []) }),
    // @ts-expect-error -- objects are read-only
    indexBy(Pod, { reads: ['spec.nodeName'], values: ({ metadata }) => [(metadata.name = 'a')] }),
    // @ts-expect-error -- a field that the part does not have
    ctx.list(Phase, { index: { by: byNode, value: 'n' } }),
    // @ts-expect-error -- of another kind
    ctx.list(Secret, { index: { by: byNode, value: 'n' } }),
    // @ts-expect-error -- of another kind
    cache.list(Secret, { index: { by: byVolume, value: 'n' } }),
  ];
  expect(compiled).toBeInstanceOf(Function);
});
