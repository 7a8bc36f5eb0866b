import { expect, test } from '@jest/globals';
import { ConfigMap, CustomResource, Dependent, Deployment, type Desired, Kind, NotFoundError } from 'kindwright';
import type { Informer } from '../../../src/cache/informer.js';
import { OptionalKinds } from '../../../src/controller/read/optional-kinds.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';

@Kind({ group: 'test.kindwright.dev', version: 'v1', kind: 'Gizmo' })
abstract class Optional extends CustomResource {
  @Dependent(Deployment, { optional: true })
  web(): Desired<Deployment> {
    return { metadata: { name: 'web' } };
  }

  @Dependent(ConfigMap)
  config(): Desired<ConfigMap> {
    return { metadata: { name: 'config' } };
  }
}

const [model] = buildResourceModels([Optional]) as [ReturnType<typeof buildResourceModels>[number]];
const notServed = new NotFoundError('not served', {
  status: 404,
  reason: 'NotFound',
  request: { method: 'GET', path: '/' },
});

/** An informer whose connection a test controls. */
class Connection {
  hasSynced = false;
  isUnserved = false;
  private changed: () => void = () => undefined;
  private sync: () => void = () => undefined;
  private readonly isSynced = new Promise<void>((resolve) => {
    this.sync = resolve;
  });

  constructor(readonly kind: Informer['kind']) {}

  synced(): Promise<void> {
    return this.isSynced;
  }

  onServedChange(listener: () => void): () => void {
    this.changed = listener;
    return () => {
      this.changed = () => undefined;
    };
  }

  fail(error: Error): void {
    if (error instanceof NotFoundError) this.setUnserved(true);
  }

  connect(): void {
    this.setUnserved(false);
  }

  private setUnserved(isUnserved: boolean): void {
    if (isUnserved === this.isUnserved) return;
    this.isUnserved = isUnserved;
    this.changed();
  }

  async finishSync(): Promise<void> {
    this.hasSynced = true;
    this.sync();
    await this.isSynced;
  }
}

function start() {
  const own = new Connection(model.kind);
  const web = new Connection(Deployment);
  const kinds = new OptionalKinds(model, { informers: [own, web] as unknown as Informer[] });
  const changes: string[] = [];
  const end = kinds.follow(({ kind }) => changes.push(`${kind} ${kinds.isServed(Deployment) ? 'served' : 'absent'}`));
  return { own, web, kinds, changes, end };
}

test('only kinds of optional dependents are optional', () => {
  const { own, web, kinds } = start();
  expect(kinds.informers).toEqual([web]);
  expect(kinds.requiredInformers).toEqual([own]);
  expect(kinds.isServed(ConfigMap)).toBe(true);
  expect(kinds.isServed(Deployment)).toBe(false);
});

test('a kind that has synced is served, without a change to report', async () => {
  const { web, kinds, changes } = start();
  await web.finishSync();
  expect(kinds.isServed(Deployment)).toBe(true);
  expect(changes).toEqual([]);
});

test('a kind in a namespace that cannot be read is served if it is in another one', async () => {
  const web = new Connection(Deployment);
  const kinds = new OptionalKinds(model, { informers: [web, new Connection(Deployment)] as unknown as Informer[] });
  kinds.follow(() => undefined);
  await web.finishSync();
  expect(kinds.isServed(Deployment)).toBe(true);
});

test('a kind that appears and disappears is reported each time, and stays missing during other errors', async () => {
  const { web, kinds, changes, end } = start();
  web.fail(notServed);
  await web.finishSync();
  web.connect();
  web.fail(new Error('connection reset'));
  expect(changes).toEqual(['Deployment served']);
  expect(kinds.isServed(Deployment)).toBe(true);
  web.fail(notServed);
  web.fail(new Error('connection refused'));
  expect(kinds.isServed(Deployment)).toBe(false);
  web.connect();
  expect(changes).toEqual(['Deployment served', 'Deployment absent', 'Deployment served']);
  end();
  web.fail(notServed);
  expect(changes).toHaveLength(3);
});

test('a kind that connects is served only after its objects are cached', async () => {
  const { web, kinds, changes } = start();
  web.fail(notServed);
  web.connect();
  expect(kinds.isServed(Deployment)).toBe(false);
  await web.finishSync();
  await Promise.resolve();
  expect(changes).toEqual(['Deployment served']);
});
