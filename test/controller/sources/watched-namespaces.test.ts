import { setImmediate as allSettled } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { ConfigMap, Deployment, ForbiddenError, Node } from 'kindwright';
import type { KindRef } from '../../../src/api/kinds/kind-ref.js';
import type { Informer } from '../../../src/cache/informer.js';
import { WatchedNamespaces } from '../../../src/controller/sources/watched-namespaces.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';

const forbidden = new ForbiddenError('forbidden', {
  status: 403,
  reason: 'Forbidden',
  request: { method: 'GET', path: '/' },
});

/** An informer whose connection a test controls. */
class Connection {
  hasSynced = false;
  isUnserved = false;
  private resolve: () => void = () => undefined;
  private readonly listed = new Promise<void>((resolve) => {
    this.resolve = resolve;
  });
  private served: () => void = () => undefined;
  private failed: (error: Error) => void = () => undefined;

  constructor(
    readonly kind: KindRef,
    readonly namespace: string | undefined,
  ) {}

  synced(): Promise<void> {
    return this.listed;
  }

  onServedChange(listener: () => void): () => void {
    this.served = listener;
    return () => undefined;
  }

  onError(listener: (error: Error) => void): () => void {
    this.failed = listener;
    return () => undefined;
  }

  refuse(): void {
    this.failed(forbidden);
  }

  remove(): void {
    this.isUnserved = true;
    this.served();
  }

  async list(): Promise<void> {
    this.hasSynced = true;
    this.resolve();
    await allSettled();
  }
}

let logger: RecordingLogger;
let readable: string[];
beforeEach(() => {
  logger = new RecordingLogger();
  readable = [];
});

function watch(own: readonly Connection[], others: readonly Connection[] = [], optional?: Connection) {
  const namespaces = new WatchedNamespaces({
    own: own as unknown as Informer[],
    informers: [...own, ...others] as unknown as Informer[],
    isOptional: (informer) => informer === (optional as unknown),
    log: logger,
    onReadable: (namespace) => readable.push(namespace),
  });
  let isReady = false;
  void namespaces.synced(new AbortController().signal).then(() => (isReady = true));
  const hasStarted = async (): Promise<boolean> => {
    await allSettled();
    return isReady;
  };
  return { namespaces, hasStarted };
}

const maps = (...names: string[]) => names.map((namespace) => new Connection(ConfigMap, namespace));

describe('the start of a controller of several namespaces', () => {
  test('the start waits for all namespaces', async () => {
    const [a, b] = maps('a', 'b') as [Connection, Connection];
    const { namespaces, hasStarted } = watch([a, b]);
    await a.list();
    expect(await hasStarted()).toBe(false);
    expect(namespaces.waiting).toEqual([b]);
    await b.list();
    expect(await hasStarted()).toBe(true);
  });

  test('a namespace that is refused is left out until all its caches have synced', async () => {
    const [a, b] = maps('a', 'b') as [Connection, Connection];
    const [webA, webB] = [new Connection(Deployment, 'a'), new Connection(Deployment, 'b')];
    const { namespaces, hasStarted } = watch([a, b], [webA, webB]);
    await a.list();
    await webA.list();
    webB.refuse();
    expect(await hasStarted()).toBe(true);
    namespaces.leaveOutUnreadable();
    expect([namespaces.isLeftOut('a/x'), namespaces.isLeftOut('b/x')]).toEqual([false, true]);
    expect(logger.lines).toMatchObject([{ level: 'warn', fields: { watchedNamespace: 'b' } }]);
    await webB.list();
    expect(readable).toEqual([]);
    await b.list();
    expect(readable).toEqual(['b']);
    expect(namespaces.isLeftOut('b/x')).toBe(false);
  });

  test('the start waits while every namespace is refused', async () => {
    const [a, b] = maps('a', 'b') as [Connection, Connection];
    const { hasStarted } = watch([a, b]);
    a.refuse();
    b.refuse();
    expect(await hasStarted()).toBe(false);
    await a.list();
    expect(await hasStarted()).toBe(true);
  });

  test('the start waits for kinds without a namespace', async () => {
    const [a, b] = maps('a', 'b') as [Connection, Connection];
    const nodes = new Connection(Node, undefined);
    const { hasStarted } = watch([a, b], [nodes]);
    b.refuse();
    await a.list();
    nodes.refuse();
    expect(await hasStarted()).toBe(false);
    await nodes.list();
    expect(await hasStarted()).toBe(true);
  });

  test('a controller of a cluster-scoped kind waits for all namespaces', async () => {
    const [a, b] = maps('a', 'b') as [Connection, Connection];
    const own = new Connection(Node, undefined);
    const { hasStarted } = watch([own], [a, b]);
    await own.list();
    await a.list();
    b.refuse();
    expect(await hasStarted()).toBe(false);
  });

  test('the start does not wait for an optional kind that is not served', async () => {
    const [a] = maps('a') as [Connection];
    const web = new Connection(Deployment, 'a');
    const { hasStarted } = watch([a], [web], web);
    await a.list();
    expect(await hasStarted()).toBe(false);
    web.remove();
    expect(await hasStarted()).toBe(true);
  });
});
