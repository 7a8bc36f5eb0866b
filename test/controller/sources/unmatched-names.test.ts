import { beforeEach, describe, expect, test } from '@jest/globals';
import type { KindRef } from '../../../src/api/kinds/kind-ref.js';
import type { KubeObject } from '../../../src/api/objects/kube-object.js';
import { enqueueMapped } from '../../../src/controller/sources/event-handler.js';
import { UnmatchedNames } from '../../../src/controller/sources/unmatched-names.js';
import { byLabel, type CacheReader, type Mapper } from '../../../src/resource/mapper.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';

const pool: KindRef = { group: 'x.dev', version: 'v1', kind: 'Pool', plural: 'pools', scope: 'Namespaced' };
const node: KubeObject = { metadata: { name: 'n', labels: { pool: 'a' } } };

let logger: RecordingLogger;
beforeEach(() => {
  logger = new RecordingLogger();
});

function mapped(mapper: Mapper, kind: KindRef = pool, namespaces?: ReadonlySet<string>) {
  const unmatched = new UnmatchedNames('@Watches(Node) of Pool', kind, namespaces, logger);
  const handler = enqueueMapped(mapper, {} as CacheReader, kind, unmatched);
  const keys: string[] = [];
  for (let event = 0; event < 3; event++)
    Array.from(
      handler({ type: 'add', object: node, isInitial: false }, (key) => keys.push(key), {
        cause: { type: 'initial', source: '@Watches(Node)' },
      }) ?? [],
    );
  return keys;
}

describe('a mapper that names objects which cannot exist', () => {
  test('a name without a namespace is reported once if the watched object has none either', () => {
    expect(mapped(byLabel('pool'))).toEqual([]);
    expect(logger.lines).toEqual([
      {
        level: 'error',
        message: '@Watches(Node) of Pool maps to Pool a without a namespace, which is ignored',
        fields: {
          hint: 'the watched object has no namespace: return { name, namespace } from the mapper, or use allObjects()',
        },
      },
    ]);
  });

  test('an empty name is reported once', () => {
    expect(mapped(() => [{ name: '', namespace: 'team' }])).toEqual([]);
    expect(logger.messages('error')).toEqual([
      '@Watches(Node) of Pool maps to a Pool with an empty name, which is ignored',
    ]);
  });

  test('a namespace that the operator does not watch is reported once', () => {
    const everywhere: Mapper = () => ['a', 'b', 'c'].map((namespace) => ({ name: 'web', namespace }));
    expect(new Set(mapped(everywhere, pool, new Set(['a'])))).toEqual(new Set(['a/web']));
    expect(logger.messages('warn')).toEqual(['@Watches(Node) of Pool maps to Pool b/web, which is ignored']);
  });

  test('a name of a cluster-scoped kind needs no namespace', () => {
    expect(mapped(byLabel('pool'), { ...pool, scope: 'Cluster' })).toEqual(['a', 'a', 'a']);
    expect(logger.lines).toEqual([]);
  });
});
