import { expect, test } from '@jest/globals';
import { partOf, Pod, toKindRef, type CacheUsage, type KindLike } from 'kindwright';
import { cacheReport } from '../../src/cli/cache-report.js';

const usage = (kind: KindLike, fields: Partial<CacheUsage>): CacheUsage => ({
  ...{ kind: toKindRef(kind), objects: 1, bytes: 2000, shares: {}, controllers: ['podset'] },
  ...fields,
});

test('the report names the largest fields of whole objects and what metadata only would save', () => {
  const shares = { 'spec.containers': 0.7, metadata: 0.25, 'status.phase': 0.05 };
  expect(cacheReport([usage(Pod, { objects: 4096, bytes: 18_100_000, shares, controllers: ['a', 'b'] })])).toEqual([
    'Caches: 18.1 MB as JSON',
    '  Pod: 4096 objects, 18.1 MB, for a, b',
    '    spec.containers 70 %, metadata 25 %; partOf(Pod, { metadataOnly: true }) would save 75 %, fields without spec.containers 70 %',
  ]);
});

test('the report describes the parts of a kind', () => {
  const shares = { metadata: 0.9, 'status.phase': 0.1 };
  const parts = [
    partOf(Pod, { metadataOnly: true }),
    partOf(Pod, { labelSelector: 'app=web', fieldSelector: 'spec.nodeName=n1', fields: ['status.phase'] }),
  ];
  expect(cacheReport(parts.map((part) => usage(part, { shares })))).toEqual([
    'Caches: 4 kB as JSON',
    '  Pod (metadata only): 1 object, 2 kB, for podset',
    '  Pod (only status.phase; selected by app=web; selected by spec.nodeName=n1): 1 object, 2 kB, for podset',
    '    metadata 90 %, status.phase 10 %',
  ]);
});

test('the report names the cluster of a cache of another cluster', () => {
  expect(cacheReport([usage(Pod, { cluster: 'edge', shares: { metadata: 1 } })])).toEqual([
    'Caches: 2 kB as JSON',
    '  Pod of cluster edge: 1 object, 2 kB, for podset',
    '    metadata 100 %; partOf(Pod, { metadataOnly: true }) would save 0 %',
  ]);
});

test('the report of an empty cache has no fields', () => {
  expect(cacheReport([usage(Pod, { objects: 0, bytes: 0 })])).toEqual([
    'Caches: 0 kB as JSON',
    '  Pod: 0 objects, 0 kB, for podset',
  ]);
});
