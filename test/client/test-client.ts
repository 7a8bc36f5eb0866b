import { afterEach } from '@jest/globals';
import type { TlsOptions } from 'node:tls';
import type { Clock } from '../../src/base/clock.js';
import { FakeClock } from '../../src/base/fake-clock.js';
import type { KindRef } from '../../src/api/kinds/kind-ref.js';
import type { KubeObject } from '../../src/api/objects/kube-object.js';
import { Client, type ClientOptions } from '../../src/client/client.js';
import type { ClusterConfig } from '../../src/client/cluster-config.js';
import { ScriptedServer, type ReceivedRequest, type Script } from './scripted-server.js';

export interface ConfigMap extends KubeObject {
  data?: Record<string, string>;
}

export const ConfigMap: KindRef<ConfigMap> = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  scope: 'Namespaced',
};

const cleanUps: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** A server that follows a script, stopped after the test. */
export async function scripted(script: Script, tls?: TlsOptions): Promise<ScriptedServer> {
  const server = await ScriptedServer.start(script, tls);
  cleanUps.push(() => server.stop());
  return server;
}

/** A client of a server, closed after the test. */
export function clientOf(
  server: Pick<ScriptedServer, 'url'>,
  config: Partial<ClusterConfig> = {},
  options: ClientOptions = {},
): Client {
  const base = { server: server.url, namespace: undefined, source: 'test', user: 'tester' };
  const client = new Client({ ...base, ...config }, options);
  cleanUps.push(() => {
    client.close();
  });
  return client;
}

/** The object `a` as a server that stores objects returns it for a request, of namespace `ns` if the path has one. */
export function stored({ path }: Pick<ReceivedRequest, 'path'>): KubeObject {
  const isNamespaced = path.includes('/namespaces/');
  return { metadata: { name: 'a', ...(isNamespaced && { namespace: 'ns' }), uid: 'u', resourceVersion: '1' } };
}

/** Time that passes in the test, while sockets take their own. Resolves when `isDue` holds. */
export async function until(isDue: () => boolean): Promise<void> {
  while (!isDue()) await new Promise((resolve) => setImmediate(resolve));
}

/** A clock that ends delays immediately and records them. */
export class HastyClock implements Clock {
  readonly delays: number[] = [];
  private readonly time = new FakeClock();

  now(): number {
    return this.time.now();
  }

  monotonic(): number {
    return this.time.monotonic();
  }

  /** Waits of 10 s and more are time-outs, which do not pass. */
  schedule(delayMs: number, callback: () => void): () => void {
    if (delayMs >= 10_000) return () => undefined;
    this.delays.push(delayMs);
    const immediate = setImmediate(callback);
    return () => {
      clearImmediate(immediate);
    };
  }
}
