import type { Informer } from '../cache/informer.js';
import type { Answer } from './http-endpoint.js';

type Synced = Pick<Informer, 'kind' | 'namespace' | 'hasSynced' | 'lastError'>;

/**
 * `/healthz` succeeds while the process runs. `/readyz` succeeds when every cache has synced; otherwise it lists the
 * others with their last errors.
 *
 * A process that waits for the lease is ready: its caches are synced.
 */
export function probes(informers: () => readonly Synced[]): Readonly<Record<string, () => Answer>> {
  return {
    '/healthz': () => ({ status: 200, text: 'ok\n' }),
    '/readyz': () => {
      const waiting = informers().filter(({ hasSynced }) => !hasSynced);
      if (waiting.length === 0) return { status: 200, text: 'ok\n' };
      return { status: 503, text: waiting.map(describe).join('') };
    },
  };
}

function describe({ kind, namespace, lastError }: Synced): string {
  const where = namespace === undefined ? '' : ` in namespace ${namespace}`;
  const why = lastError ? `: ${lastError.message}` : '';
  return `the cache of ${kind.plural}${kind.group && `.${kind.group}`}${where} has not synced${why}\n`;
}
