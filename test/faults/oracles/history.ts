import type { Client } from 'kindwright';
import type { KindRef } from '../../../src/api/kinds/kind-ref.js';
import type { KubeObject } from '../../../src/api/objects/kube-object.js';
import { VOLATILE } from './ledger.js';

/** The part of a cluster that one run of a scenario changes. */
export interface HistoryScope {
  readonly kinds: readonly KindRef[];
  /** Part of the names of all objects of cluster scope that belong to the run. */
  readonly namespace: string;
  /** The history begins after this resource version. */
  readonly since: string;
}

/** The stored states of each object, in order. Writes that stored nothing new are not part of it. */
export type History = Readonly<Record<string, readonly string[]>>;

/**
 * Reads the history from the server's watch cache, and the writes of the next second.
 *
 * The server keeps the events of at least 75 seconds.
 */
export async function historyOf(client: Client, { kinds, namespace, since }: HistoryScope): Promise<History> {
  const history: Record<string, string[]> = {};
  const read = async (kind: KindRef): Promise<void> => {
    const scope = kind.scope === 'Cluster' ? {} : { namespace };
    const options = { ...scope, resourceVersion: since, timeoutSeconds: 1, allowWatchBookmarks: false };
    for await (const { type, object } of client.watch(kind, options)) {
      const { name } = object.metadata;
      if (kind.scope === 'Cluster' && !name.includes(namespace)) continue;
      const key = `${kind.kind} ${name}`.replaceAll(namespace, '*');
      (history[key] ??= []).push(`${type} ${normalized(object, namespace)}`);
    }
  };
  await Promise.all(kinds.map(read));
  return history;
}

/** Throws with the first difference. */
export function assertSameHistory(actual: History, expected: History): void {
  for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const [is, should] = [actual[key] ?? [], expected[key] ?? []];
    for (let index = 0; index < Math.max(is.length, should.length); index++)
      if (is[index] !== should[index])
        throw new Error(`${key}, state ${index + 1}: ${difference(is[index], should[index])}`);
  }
}

function difference(actual = 'nothing', expected = 'nothing'): string {
  let start = 0;
  while (actual[start] === expected[start]) start += 1;
  const part = (text: string): string => text.slice(Math.max(0, start - 60), start + 60);
  return `${part(actual)} instead of ${part(expected)}`;
}

function normalized(object: KubeObject, namespace: string): string {
  const drop = (key: string, value: unknown): unknown => (VOLATILE.has(key) ? undefined : value);
  return JSON.stringify(object, drop).replaceAll(namespace, '*');
}
