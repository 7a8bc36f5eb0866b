/* eslint-disable max-lines -- one table of scenarios */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  Client,
  ConfigMap,
  loadClusterConfig,
  Role,
  Secret,
  ServiceAccount,
  TerminalError,
  type Context,
  type KubeObject,
} from 'kindwright';
import { describeCauses } from '../../../src/api/reconcile/describe-causes.js';
import type { Run } from '../../../src/api/reconcile/reconcile-observer.js';
import type { InspectedManager } from '../../../src/manager/debug/debug-state.js';
import { eventually } from '../../../src/testing/eventually.js';
import { behaviors, Caused, LABEL, Timed, Triggered, Watcher, written, type Behavior } from './caused.js';
import { installKinds, RunningManager } from '../../e2e/sdk/running-manager.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../../e2e/suite-control-plane.js';

const namespace = 'default';
const CONTROLLERS = [Caused, Watcher, Triggered, Timed];

let cluster: SuiteControlPlane | undefined;
let client: Client;
let manager: RunningManager | undefined;
let inspected: InspectedManager | undefined;
/** The causes of the runs of each object, in order: `caused default/x`. */
const whys = new Map<string, string[]>();
const observer = {
  ended: (run: Run) => {
    const id = `${run.controller} ${run.key}`;
    whys.set(id, [...(whys.get(id) ?? []), describeCauses(run)]);
  },
};

/** What happens to one object, which has a name of its own. */
class Story {
  constructor(readonly name: string) {}

  /** The causes of the runs so far, with `$` for the key of the object. */
  whys(controller = 'caused'): string[] {
    return (whys.get(`${controller} ${namespace}/${this.name}`) ?? []).map((why) =>
      why.replaceAll(`${namespace}/${this.name}`, '$'),
    );
  }

  /** Resolves after this many runs. */
  async ran(count: number, controller?: string): Promise<void> {
    await eventually(() => expect(this.whys(controller).length).toBeGreaterThanOrEqual(count), { timeout: '60s' });
  }

  /** Creates the object and waits for its first run. */
  async start(behavior: Behavior = () => undefined, metadata: Partial<KubeObject['metadata']> = {}): Promise<void> {
    behaviors.set(this.name, behavior);
    await this.create(metadata);
    await this.ran(1);
  }

  create(metadata: Partial<KubeObject['metadata']> = {}) {
    return client.create(Caused, { metadata: { name: this.name, namespace, ...metadata }, spec: { value: 'a' } });
  }

  patch(change: object, options: object = {}) {
    return client.patch(Caused, this.name, change, { namespace, ...options });
  }

  annotate(annotations: Record<string, string | null>) {
    return this.patch({ metadata: { annotations } });
  }

  /** Creates an object of another kind with the same name. */
  add(kind: typeof ConfigMap | typeof Secret | typeof ServiceAccount, metadata: Partial<KubeObject['metadata']> = {}) {
    return client.create(kind, { metadata: { name: this.name, namespace, ...metadata } });
  }

  change(kind: typeof ConfigMap | typeof Secret | typeof ServiceAccount, change: object) {
    return client.patch(kind, this.name, change, { namespace });
  }

  remove(kind: typeof ConfigMap | typeof Secret | typeof ServiceAccount | typeof Caused = Caused) {
    return client.delete(kind, this.name, { namespace });
  }

  /** The owner reference of its children. */
  async owned() {
    const { apiVersion = '', kind = '', metadata } = await client.get(Caused, this.name, { namespace });
    const { uid = '' } = metadata;
    return { ownerReferences: [{ apiVersion, kind, name: this.name, uid, controller: true }] };
  }
}

/** Applies a ConfigMap with the same name. */
const applying =
  (value: (run: number, spec: string) => string): Behavior =>
  ({ metadata: { name }, spec }, ctx, run) =>
    ctx.apply(ConfigMap, { metadata: { name }, data: { value: value(run, spec.value) } });

/** The event can arrive before the response that names its author: the run ends after both. */
const isWrittenTo = (name: string): Promise<void> =>
  eventually(() => expect(written).toContain(name), { timeout: '60s' });

const deleteChild = async ({ metadata: { name } }: Caused, ctx: Context): Promise<void> => {
  const child = await ctx.get(ConfigMap, name);
  if (child) await ctx.delete(ConfigMap, child);
};

/** Waits in the first run until `act` has changed objects, and until their events have arrived. */
async function during(story: Story, act: () => Promise<unknown>, behavior?: Behavior): Promise<void> {
  let end = (): void => undefined;
  const isEnded = new Promise<void>((resolve) => (end = resolve));
  let began = (): void => undefined;
  const hasBegun = new Promise<void>((resolve) => (began = resolve));
  behaviors.set(story.name, async (self, ctx, run) => {
    if (run > 1) return;
    began();
    await isEnded;
    await behavior?.(self, ctx, run);
  });
  await story.create();
  await hasBegun;
  await act();
  await cached(`${story.name}-done`);
  end();
  await story.ran(2);
}

/** Resolves when the caches have all that was written before, by an object that is written last. */
async function cached(name: string): Promise<void> {
  for (const kind of [Caused, ConfigMap, ServiceAccount]) {
    const body = kind === Caused ? { spec: { value: 'a' } } : {};
    await client.create(kind, { metadata: { name, namespace }, ...body });
  }
  await eventually(() => expect(whys.has(`caused ${namespace}/${name}`)).toBe(true), { timeout: '60s' });
  const stores = inspected!.allInformers().map(({ lister }) => lister);
  await eventually(() => {
    const found = stores.filter((lister) => lister.get(name, namespace) !== undefined);
    expect(found.length).toBeGreaterThanOrEqual(3);
  });
}

interface Scenario {
  readonly title: string;
  readonly act: (story: Story) => Promise<unknown>;
  readonly expected: readonly string[];
  readonly controller?: string;
}
const scenarios: Scenario[] = [];

function scenario(title: string, act: Scenario['act'], expected: readonly string[], controller?: string): void {
  scenarios.push({ title, act, expected, ...(controller !== undefined && { controller }) });
}

const ADD = 'Caused add $';
const SPEC = 'Caused update $ (spec)';
const RETRY = 'retry after error, attempt';
const OWN_ADD = '@Owns(ConfigMap) add $ by its own write';
const CHILD = '@Owns(ConfigMap) update $ (data)';

// The object itself.
scenario('a user creates it', (s) => s.start(), [ADD]);
scenario(
  'a user changes the spec',
  async (s) => {
    await s.start();
    await s.patch({ spec: { value: 'b' } });
  },
  [ADD, SPEC],
);
scenario(
  'a user changes the spec twice',
  async (s) => {
    await s.start();
    await s.patch({ spec: { value: 'b' } });
    await s.ran(2);
    await s.patch({ spec: { value: 'c' } });
  },
  [ADD, SPEC, SPEC],
);
scenario(
  'a user changes labels and spec in one request',
  async (s) => {
    await s.start();
    await s.patch({ metadata: { labels: { a: 'b' } }, spec: { value: 'b' } });
  },
  [ADD, 'Caused update $ (metadata.labels, spec)'],
);
scenario(
  'another field manager applies the spec',
  async (s) => {
    await s.start();
    const metadata = { name: s.name, namespace };
    await client.apply(Caused, { metadata, spec: { value: 'applied' } }, { force: true });
  },
  [ADD, SPEC],
);
scenario(
  'a user replaces it',
  async (s) => {
    await s.start();
    const present = await client.get(Caused, s.name, { namespace });
    await client.update(Caused, { ...present, spec: { value: 'replaced' } });
  },
  [ADD, SPEC],
);
scenario(
  'a user changes labels and annotations',
  async (s) => {
    await s.start();
    await s.patch({ metadata: { labels: { a: 'b' }, annotations: { c: 'd' } } });
  },
  [ADD, 'Caused update $ (metadata.labels, metadata.annotations)'],
);
scenario(
  'a patch changes nothing',
  async (s) => {
    await s.start();
    await s.patch({ spec: { value: 'a' } });
  },
  [ADD],
);
scenario(
  'another client changes the status',
  async (s) => {
    await s.start();
    await s.patch({ status: { seen: 'x' } }, { subresource: 'status' });
  },
  [ADD],
);
scenario('its reconcile writes the status', (s) => s.start((self) => void (self.status.seen = 'x')), [ADD]);
scenario(
  'its reconcile writes the spec',
  (s) =>
    s.start(async (_, ctx, run) => {
      if (run === 1) await ctx.patch(Caused, s.name, { spec: { value: 'own' } });
    }),
  [ADD, `${SPEC} by its own write`],
);
scenario(
  'its reconcile writes a label',
  (s) => s.start((_, ctx) => ctx.patch(Caused, s.name, { metadata: { labels: { a: 'b' } } })),
  [ADD, 'Caused update $ (metadata.labels) by its own write'],
);
scenario(
  'a user changes the spec while the reconcile writes the status',
  (s) =>
    during(
      s,
      () => s.patch({ spec: { value: 'b' } }),
      (self) => void (self.status.seen = 'x'),
    ),
  [ADD, SPEC],
);
scenario('a user changes the spec during a reconcile', (s) => during(s, () => s.patch({ spec: { value: 'b' } })), [
  ADD,
  SPEC,
]);
scenario(
  'a user changes the spec three times during a reconcile',
  (s) =>
    during(s, async () => {
      for (const value of ['b', 'c', 'd']) await s.patch({ spec: { value } });
    }),
  [ADD, `${SPEC} x3`],
);
scenario(
  'a user changes the spec eleven times during a reconcile',
  (s) =>
    during(s, async () => {
      for (let value = 0; value < 11; value++) await s.patch({ spec: { value: String(value) } });
    }),
  [ADD, `${SPEC} x8; 3 more`],
);
scenario(
  'the controller of another kind writes the spec',
  async (s) => {
    await s.start((_self, _ctx, run) => run > 1 && isWrittenTo(s.name));
    await client.create(Watcher, { metadata: { name: s.name, namespace }, spec: { value: 'patch' } });
  },
  [ADD, `${SPEC} by the reconcile of watcher $`],
);
scenario(
  'a user requests a reconcile',
  async (s) => {
    await s.start();
    await s.annotate({ 'kindwright.dev/reconcile-requested-at': '2026-01-01T00:00:00Z' });
  },
  [ADD, 'Caused update $ (metadata.annotations)'],
);
scenario(
  'a user pauses it and changes the spec',
  async (s) => {
    await s.start();
    await s.annotate({ 'kindwright.dev/paused': 'true' });
    await s.ran(2);
    await s.patch({ spec: { value: 'b' } });
    await s.ran(3);
    await s.annotate({ 'kindwright.dev/paused': null });
  },
  [ADD, 'Caused update $ (metadata.annotations)', SPEC, 'Caused update $ (metadata.annotations)'],
);
scenario(
  'a tool requests a reconcile',
  async (s) => {
    await s.start();
    const [caused] = inspected!.controllers().filter(({ name }) => name === 'caused');
    expect(caused?.reconcileNow(`${namespace}/${s.name}`, 'console')).toBe(true);
  },
  [ADD, 'console'],
);

// Its deletion.
scenario(
  'a user deletes it',
  async (s) => {
    await s.start();
    await s.remove();
  },
  [ADD, 'Caused delete $'],
);
scenario(
  'a user deletes it and another client has a finalizer',
  async (s) => {
    await s.start(undefined, { finalizers: ['other.example.com/keep'] });
    await s.remove();
    await s.ran(2);
    await s.patch({ metadata: { finalizers: null } });
  },
  [ADD, 'Caused update $ (metadata.deletionTimestamp, metadata.deletionGracePeriodSeconds)', 'Caused delete $'],
);
scenario(
  'it is deleted and created again',
  async (s) => {
    await s.start();
    await s.remove();
    await s.ran(2);
    await s.create();
  },
  [ADD, 'Caused delete $', ADD],
);
scenario('its reconcile deletes it', (s) => s.start((self, ctx) => ctx.delete(Caused, self)), [
  ADD,
  'Caused delete $ by its own write',
]);

// Owned objects.
scenario('its reconcile creates a child', (s) => s.start(applying(() => 'a')), [ADD, OWN_ADD]);
scenario(
  'its reconcile changes a child',
  async (s) => {
    await s.start(applying((_, spec) => spec));
    await s.ran(2);
    await s.patch({ spec: { value: 'b' } });
  },
  [ADD, OWN_ADD, SPEC, `${CHILD} by its own write`],
);
scenario(
  'its reconcile deletes a child',
  async (s) => {
    await s.start(async (self, ctx) => {
      const metadata = { name: s.name };
      if (self.spec.value === 'a') await ctx.apply(ConfigMap, { metadata });
      else await deleteChild(self, ctx);
    });
    await s.ran(2);
    await s.patch({ spec: { value: 'b' } });
  },
  [ADD, OWN_ADD, SPEC, '@Owns(ConfigMap) delete $ by its own write'],
);
scenario(
  'its reconcile deletes a child that has a finalizer of another client',
  async (s) => {
    await s.start(async (self, ctx) => {
      const metadata = { name: s.name, finalizers: ['other.example.com/keep'] };
      if (self.spec.value === 'a') await ctx.apply(ConfigMap, { metadata });
      else await deleteChild(self, ctx);
    });
    await s.ran(2);
    await s.patch({ spec: { value: 'b' } });
    await s.ran(4);
    await s.change(ConfigMap, { metadata: { finalizers: null } });
  },
  [
    ADD,
    OWN_ADD,
    SPEC,
    '@Owns(ConfigMap) update $ (metadata.deletionTimestamp, metadata.deletionGracePeriodSeconds) by its own write',
    '@Owns(ConfigMap) delete $ by its own write',
  ],
);
scenario(
  'another client changes a child, and the reconcile does not change it back',
  async (s) => {
    await s.start(async (_, ctx, run) => {
      if (run === 1) await applying(() => 'a')(_, ctx, run);
    });
    await s.ran(2);
    await s.change(ConfigMap, { data: { value: 'theirs' } });
  },
  [ADD, OWN_ADD, CHILD],
);
scenario(
  'another client changes a child, and the reconcile changes it back',
  async (s) => {
    await s.start(applying(() => 'a'));
    await s.ran(2);
    await s.change(ConfigMap, { data: { value: 'theirs' } });
  },
  [ADD, OWN_ADD, CHILD, `${CHILD} by its own write`],
);
scenario(
  'another client labels a child',
  async (s) => {
    await s.start(applying(() => 'a'));
    await s.ran(2);
    await s.change(ConfigMap, { metadata: { labels: { a: 'b' } } });
  },
  [ADD, OWN_ADD, '@Owns(ConfigMap) update $ (metadata.labels)'],
);
scenario(
  'another client deletes a child, and the reconcile creates it again',
  async (s) => {
    await s.start(applying(() => 'a'));
    await s.ran(2);
    await s.remove(ConfigMap);
  },
  [ADD, OWN_ADD, '@Owns(ConfigMap) delete $', OWN_ADD],
);
scenario(
  'another client creates a child',
  async (s) => {
    await s.start();
    await s.add(ConfigMap, await s.owned());
  },
  [ADD, '@Owns(ConfigMap) add $'],
);
scenario(
  'another client makes an object a child',
  async (s) => {
    await s.start();
    await s.add(ConfigMap);
    await s.change(ConfigMap, { metadata: await s.owned() });
  },
  [ADD, '@Owns(ConfigMap) update $ (metadata.ownerReferences)'],
);
scenario(
  'another client removes the owner of a child',
  async (s) => {
    await s.start();
    await s.add(ConfigMap, await s.owned());
    await s.ran(2);
    await s.change(ConfigMap, { metadata: { ownerReferences: null } });
  },
  [ADD, '@Owns(ConfigMap) add $', '@Owns(ConfigMap) update $ (metadata.ownerReferences)'],
);
scenario(
  'an object without owner changes',
  async (s) => {
    await s.start();
    await s.add(ConfigMap);
    await s.change(ConfigMap, { data: { a: 'b' } });
  },
  [ADD],
);
scenario(
  'a child changes that its predicate leaves out',
  async (s) => {
    await s.start();
    await s.add(Secret, await s.owned());
    await s.change(Secret, { stringData: { a: 'b' } });
    await s.remove(Secret);
  },
  [ADD, '@Owns(Secret) delete $'],
);
scenario(
  'the reconcile of another object writes a child',
  async (s) => {
    const apply = applying(() => 'a');
    await s.start(async (self, ctx, run) => {
      if (run > 2) await isWrittenTo(s.name);
      await apply(self, ctx, run);
    });
    await s.ran(2);
    const other = new Story(`${s.name}-other`);
    await other.start(async (_, ctx) => {
      await ctx.patch(ConfigMap, s.name, { data: { more: 'x' } });
      written.add(s.name);
    });
  },
  [ADD, OWN_ADD, `${CHILD} by the reconcile of caused $-other`],
);
scenario(
  'a user changes the spec and another client a child during a reconcile',
  (s) =>
    during(s, async () => {
      await s.patch({ spec: { value: 'b' } });
      await s.add(ConfigMap, await s.owned());
      await s.change(ConfigMap, { data: { a: 'b' } });
    }),
  [ADD, `${SPEC}; @Owns(ConfigMap) add $; ${CHILD}`],
);
scenario(
  'its reconcile writes a child twice',
  (s) =>
    s.start(async (self, ctx, run) => {
      if (run > 1) return;
      await applying(() => 'a')(self, ctx, run);
      await applying(() => 'b')(self, ctx, run);
    }),
  [ADD, `${OWN_ADD}; ${CHILD} by its own write`],
);
scenario(
  'its reconcile writes a child, and then another client',
  (s) =>
    s.start(async (self, ctx, run) => {
      if (run > 1) return;
      await applying(() => 'a')(self, ctx, run);
      await s.change(ConfigMap, { data: { value: 'theirs' } });
      await cached(`${s.name}-done`);
    }),
  [ADD, `${OWN_ADD}; ${CHILD}`],
);

// Watched objects.
const OF = (names: string) => ({ labels: { [LABEL]: names } });
scenario(
  'a watched object is created, changed and deleted',
  async (s) => {
    await s.start();
    await s.add(ServiceAccount, OF(s.name));
    await s.ran(2);
    await s.change(ServiceAccount, { automountServiceAccountToken: false });
    await s.ran(3);
    await s.remove(ServiceAccount);
  },
  [
    ADD,
    '@Watches(ServiceAccount) add $',
    '@Watches(ServiceAccount) update $ (automountServiceAccountToken)',
    '@Watches(ServiceAccount) delete $',
  ],
);
scenario(
  'the label of a watched object names another object',
  async (s) => {
    await s.start();
    await s.add(ServiceAccount, OF('nothing'));
    await s.change(ServiceAccount, { metadata: OF(s.name) });
    await s.ran(2);
    await s.change(ServiceAccount, { metadata: OF('nothing') });
  },
  [ADD, '@Watches(ServiceAccount) update $ (metadata.labels)', '@Watches(ServiceAccount) update $ (metadata.labels)'],
);
scenario(
  'a mapper names two objects',
  async (s) => {
    const second = new Story(`${s.name}-2`);
    await s.start();
    await second.start();
    await client.create(ServiceAccount, {
      metadata: { name: `${s.name}-2`, namespace, ...OF(`${s.name}.${s.name}-2`) },
    });
    await second.ran(2);
    expect(second.whys()).toEqual([ADD, '@Watches(ServiceAccount) add $']);
  },
  [ADD, '@Watches(ServiceAccount) add $-2'],
);
scenario(
  'its reconcile writes a watched object',
  (s) =>
    s.start(async (_, ctx, run) => {
      if (run === 1) await ctx.apply(ServiceAccount, { metadata: { name: s.name, ...OF(s.name) } });
    }),
  [ADD, '@Watches(ServiceAccount) add $ by its own write'],
);

// ctx.watch
scenario(
  'an object that it watches by ctx.watch changes',
  async (s) => {
    await s.start((_, ctx) => ctx.watch(Role, { name: s.name }));
    await eventually(() => expect(s.whys().length).toBeGreaterThan(0));
    await client.create(Role, { metadata: { name: s.name, namespace } });
    await eventually(() => expect(s.whys().join()).toContain('add'));
    await client.patch(Role, s.name, { metadata: { labels: { a: 'b' } } }, { namespace });
  },
  [ADD, 'ctx.watch(Role) add $', 'ctx.watch(Role) update $ (metadata.labels)'],
);

// Results and errors.
const failing =
  (times: number, make: () => Error): Behavior =>
  (_, __, run) => {
    if (run <= times) throw make();
  };
scenario('its reconcile throws once', (s) => s.start(failing(1, () => new Error('x'))), [ADD, `${RETRY} 2`]);
scenario('its reconcile throws three times', (s) => s.start(failing(3, () => new Error('x'))), [
  ADD,
  `${RETRY} 2`,
  `${RETRY} 3`,
  `${RETRY} 4`,
]);
scenario('its reconcile throws a TerminalError', (s) => s.start(failing(9, () => new TerminalError('x'))), [ADD]);
scenario(
  'its reconcile succeeds after a failure, and fails again',
  async (s) => {
    await s.start((_, __, run) => {
      if (run === 1 || run === 3) throw new Error('x');
    });
    await s.ran(2);
    await s.patch({ spec: { value: 'b' } });
  },
  [ADD, `${RETRY} 2`, SPEC, `${RETRY} 2`],
);
scenario(
  'its reconcile has a conflict',
  (s) =>
    s.start(async (_, ctx, run) => {
      if (run > 1) return;
      const object = await client.create(ConfigMap, { metadata: { name: s.name, namespace } });
      await s.change(ConfigMap, { data: { a: 'b' } });
      await client.update(ConfigMap, { ...object, data: { a: 'c' } });
    }),
  [ADD, 'retry after conflict, attempt 2'],
);
scenario(
  'its reconcile returns requeueAfter',
  (s) => s.start((_, __, run) => (run === 1 ? { requeueAfter: 20 } : undefined)),
  [ADD, 'requeueAfter 20 ms'],
);
scenario(
  'its reconcile returns requeueAfter 0',
  (s) => s.start((_, __, run) => (run === 1 ? { requeueAfter: 0 } : undefined)),
  [ADD, 'retry after requested, attempt 2'],
);
scenario(
  'the spec changes before requeueAfter',
  async (s) => {
    await s.start((_, __, run) => (run === 1 ? { requeueAfter: '1h' } : undefined));
    await s.patch({ spec: { value: 'b' } });
  },
  [ADD, SPEC],
);
scenario(
  'its reconcile creates a child and returns requeueAfter',
  (s) =>
    s.start(async (self, ctx, run) => {
      if (run > 1) return undefined;
      await applying(() => 'a')(self, ctx, run);
      return { requeueAfter: 300 };
    }),
  [ADD, OWN_ADD, 'requeueAfter 300 ms'],
);
scenario(
  'its reconcile records an Event',
  (s) =>
    s.start((_, ctx) => {
      ctx.event('Normal', 'Seen', 'seen');
    }),
  [ADD],
);
scenario('its reconcile reads from the server', (s) => s.start((_, ctx) => ctx.list(ConfigMap)), [ADD]);

// Other classes.
scenario(
  'a class without predicate writes its status',
  (s) => client.create(Watcher, { metadata: { name: s.name, namespace }, spec: { value: 'status' } }),
  ['Watcher add $', 'Watcher update $ (status) by its own write'],
  'watcher',
);
scenario(
  'the status of a class without predicate is changed by another client',
  async (s) => {
    await client.create(Watcher, { metadata: { name: s.name, namespace }, spec: { value: 'a' } });
    await s.ran(1, 'watcher');
    await client.patch(Watcher, s.name, { status: { seen: 'x' } }, { namespace, subresource: 'status' });
  },
  ['Watcher add $', 'Watcher update $ (status)'],
  'watcher',
);

// What is not an event of the cluster.
const trigger = (s: Story, value = 'a') =>
  client.create(Triggered, { metadata: { name: s.name, namespace }, spec: { value } });
scenario(
  'a source that is an iterable names it',
  async (s) => {
    await trigger(s);
    await s.ran(1, 'triggered');
    Triggered.send(`${namespace}/${s.name}`);
  },
  ['Triggered add $', '@Source sent'],
  'triggered',
);
scenario(
  'a source that polls names it',
  async (s) => {
    await trigger(s);
    await s.ran(1, 'triggered');
    Triggered.polled.push(`${namespace}/${s.name}`);
  },
  ['Triggered add $', '@Source poll'],
  'triggered',
);
scenario(
  'its daemon requests a reconcile',
  async (s) => {
    await trigger(s, 'daemon');
    await s.ran(1, 'triggered');
    Triggered.wake(s.name);
  },
  ['Triggered add $', '@Daemon follow'],
  'triggered',
);

/** An object that exists before the manager starts. */
const EARLIER = 'earlier';

beforeAll(async () => {
  cluster = await startSuiteControlPlane({ parts: ['etcd', 'apiserver'] });
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }), { fieldManager: 'user' });
  await installKinds(client, CONTROLLERS);
  await client.create(Caused, { metadata: { name: EARLIER, namespace }, spec: { value: 'a' } });
  const onInspectable = (manager: InspectedManager): void => {
    inspected = manager;
  };
  manager = await RunningManager.start(client, CONTROLLERS, { observer, onInspectable });
  await Promise.all([...scenarios.entries()].map(([index, each]) => play(each, new Story(`story-${String(index)}`))));
  await cached('last');
});
afterAll(async () => {
  await manager?.stop();
  client.close();
  await cluster?.stop();
});

const failures = new Map<Scenario, unknown>();
async function play(each: Scenario, story: Story): Promise<void> {
  const { act, expected, controller } = each;
  try {
    await act(story);
    await story.ran(expected.length, controller);
  } catch (error) {
    failures.set(each, error);
  }
}

test('there are at least 60 scenarios, each with its own title', () => {
  expect(new Set(scenarios.map(({ title }) => title)).size).toBe(scenarios.length);
  expect(scenarios.length).toBeGreaterThanOrEqual(60);
});

test.each(scenarios)('each run names exactly its causes when $title', (each) => {
  const { expected, controller } = each;
  expect(new Story(`story-${String(scenarios.indexOf(each))}`).whys(controller)).toEqual(expected);
  if (failures.has(each)) throw failures.get(each) as Error;
});

test('the first run of an object that existed before names the first list', () => {
  expect(new Story(EARLIER).whys()).toEqual(['Caused initial list']);
});

test('a timer is named with its method', async () => {
  const story = new Story('timed');
  await client.create(Timed, { metadata: { name: story.name, namespace }, spec: { value: 'a' } });
  await story.ran(3, 'timed');
  expect(story.whys('timed').slice(0, 3)).toEqual(['Timed add $', '@Every(1s) tick', '@Every(1s) tick']);
});
