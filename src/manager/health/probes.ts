import type { IncomingMessage } from 'node:http';
import { publicMessage } from '../../base/thrown-error.js';
import type { Informer } from '../../cache/informer.js';
import type { Answer } from '../http-endpoint.js';

type Synced = Pick<Informer, 'kind' | 'namespace' | 'hasSynced' | 'lastError'>;

/** Other clusters with watches, by name. */
export type WatchedClusters = ReadonlyMap<string, { readonly informers: readonly Synced[] }>;

/** A server of webhooks. */
export interface ReadyServer {
  readonly isReady: boolean;
}

/**
 * `/healthz` succeeds while the process runs. `/readyz` succeeds when every cache has synced; otherwise it lists the
 * others with their last errors. A process that waits for the lease is ready: its caches are synced.
 *
 * With webhooks, `/readyz` succeeds while they are served, and lists the caches only with `?verbose`: Kubernetes sends
 * reviews to ready pods alone, and an API server that waits for a review may be what a cache waits for.
 *
 * Caches of other clusters are listed with `?verbose` and change no result: a process that one cluster cannot be reached
 * from still works for the others.
 */
export function probes(
  informers: () => readonly Synced[],
  webhooks?: ReadyServer,
  others: WatchedClusters = new Map(),
): Readonly<Record<string, (request: Pick<IncomingMessage, 'url'>) => Answer>> {
  return {
    '/healthz': () => OK,
    '/readyz': ({ url = '' }) => {
      const waiting = informers().filter(({ hasSynced }) => !hasSynced);
      const caches = waiting.map((cache) => describe(cache)).join('');
      const text = isVerbose(url) ? `${caches}${[...others].map(describeCluster).join('')}` : caches;
      if (!webhooks && waiting.length > 0) return { status: 503, text };
      if (webhooks?.isReady === false) return { status: 503, text: 'webhooks are not served\n' };
      return isVerbose(url) ? { ...OK, text: `${text}ok\n` } : OK;
    },
  };
}

const OK: Answer = { status: 200, text: 'ok\n' };

function isVerbose(url: string): boolean {
  return /[?&]verbose(?:[=&]|$)/.test(url);
}

function describeCluster([cluster, { informers }]: [string, { readonly informers: readonly Synced[] }]): string {
  const waiting = informers.filter(({ hasSynced }) => !hasSynced);
  return waiting.map((cache) => describe(cache, ` of cluster ${cluster}`)).join('');
}

function describe({ kind, namespace, lastError }: Synced, cluster = ''): string {
  const where = namespace === undefined ? '' : ` in namespace ${namespace}`;
  const why = lastError ? `: ${publicMessage(lastError)}` : '';
  return `the cache of ${kind.plural}${kind.group && `.${kind.group}`}${where}${cluster} has not synced${why}\n`;
}
