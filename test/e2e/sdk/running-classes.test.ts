import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  Client,
  ConfigMap,
  type Context,
  Controller,
  CustomResourceDefinition,
  Daemon,
  type DaemonTask,
  Every,
  kindByName,
  type KubeObject,
  loadClusterConfig,
  Manager,
  type ManagerOptions,
  ObjectController,
  Secret,
  Source,
} from 'kindwright';
import { createMetrics } from '../../../src/base/metrics.js';
import { eventually } from '../../../src/testing/eventually.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';
import { seriesOf } from './series-of.js';

const namespace = 'default';
/** The reconciles of all classes, as `<class> <object>`. */
const runs: string[] = [];
let block: Promise<void> | undefined;

function record(controller: ObjectController<KubeObject>): void {
  runs.push(`${controller.constructor.name} ${controller.object.metadata.name}`);
}

/** Runs from the start to the end of the manager. */
@Controller({ for: ConfigMap, name: 'base' })
class Base extends ObjectController<ConfigMap> {
  async reconcile(_: Context): Promise<void> {
    record(this);
  }
}

/** Shares the cache of Base. */
@Controller({ for: ConfigMap, name: 'sharing' })
class Sharing extends ObjectController<ConfigMap> {
  async reconcile(_: Context): Promise<void> {
    record(this);
    await block;
    if (this.object.metadata.name === 'blocked') runs.push('Sharing has ended');
  }
}

/** Uses everything that lasts longer than a reconcile. */
@Controller({ for: Secret, name: 'everything' })
@Every('1h')
class Everything extends ObjectController<Secret> {
  async reconcile(_: Context): Promise<void> {
    record(this);
  }

  @Every('30m')
  async check(_: Context): Promise<void> {
    await Promise.resolve();
  }

  @Source({ every: '20m' })
  static poll(): string[] {
    return [];
  }

  @Daemon()
  async follow(_: Context, { signal }: DaemonTask): Promise<void> {
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  }
}

const Late = kindByName({ group: 'test.kindwright.dev', version: 'v1', kind: 'Late' });

@Controller({ for: Late, name: 'late' })
class LateController extends ObjectController {
  async reconcile(_: Context): Promise<void> {
    record(this);
  }
}

/** What `NeedsLate` has seen of its kind. */
const late: string[] = [];

@Controller({ for: Secret, name: 'needs-late' })
class NeedsLate extends ObjectController<Secret> {
  async reconcile(ctx: Context): Promise<void> {
    if (this.object.metadata.name !== 'needing') return;
    const isServed = await ctx.watch(Late, { name: 'one' });
    late.push(isServed ? String((await ctx.get(Late, 'one')) !== undefined) : 'not served');
  }
}

let cluster: SuiteControlPlane;
let client: Client;
let logger: RecordingLogger;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  cluster = await startSuiteControlPlane({ parts: ['etcd', 'apiserver'] });
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  await client.create(Secret, { metadata: { name: 'first', namespace } });
});
afterAll(async () => {
  client.close();
  await cluster.stop();
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  runs.length = 0;
  block = undefined;
});

async function start(options: Partial<ManagerOptions> = {}, log = new RecordingLogger()): Promise<Manager> {
  logger = log;
  const manager = new Manager({ client, logger: log, ...options }).add(Base);
  const stopping = new AbortController();
  const ended = manager.run(stopping.signal);
  ended.catch(() => undefined);
  stops.push(async () => {
    stopping.abort(new Error('stopped by the test'));
    await ended;
  });
  return manager;
}

const isStarted = (controller: string, log = logger) =>
  log.lines.some(({ message, fields }) => message === 'Started workers' && fields['controller'] === controller);
const started = (controller: string) => eventually(() => expect(isStarted(controller)).toBe(true));
const reconciled = (run: string) => eventually(() => expect(runs).toContain(run));
const createConfigMap = (name: string) => client.create(ConfigMap, { metadata: { name, namespace } });

describe('a class that is added to a running manager', () => {
  test('a class that is added to a running manager reconciles the objects that exist and those that follow', async () => {
    const manager = await start();
    await started('base');
    manager.add(Everything);
    await reconciled('Everything first');
    await client.create(Secret, { metadata: { name: 'second', namespace } });
    await reconciled('Everything second');
  });

  test('a class that is added while another replica leads starts when this one does', async () => {
    const leaderElection = { leaseName: 'running-classes', namespace, retryPeriod: 100 };
    await start({ leaderElection });
    await started('base');
    const waiting = new RecordingLogger();
    const manager = await start({ leaderElection }, waiting);
    manager.add(Everything);
    await eventually(() => expect(waiting.messages().join()).toMatch(/lease/i));
    expect(isStarted('everything', waiting)).toBe(false);
    await stops.shift()?.();
    await started('everything');
    await started('base');
  });
});

describe('a class that is removed from a running manager', () => {
  test('remove resolves when the running reconcile has ended, and the other classes of the kind go on', async () => {
    const manager = await start();
    manager.add(Sharing);
    await started('sharing');
    let unblock: () => void = () => undefined;
    block = new Promise((resolve) => (unblock = resolve));
    await createConfigMap('blocked');
    await reconciled('Sharing blocked');
    const removed = manager.remove(Sharing);
    expect(() => manager.add(Sharing)).toThrow('Sharing is being removed');
    await expect(manager.remove(Sharing)).rejects.toThrow('Sharing is being removed');
    expect(runs).not.toContain('Sharing has ended');
    unblock();
    await removed;
    expect(runs).toContain('Sharing has ended');
    await createConfigMap('after');
    await reconciled('Base after');
    expect(runs).not.toContain('Sharing after');
    manager.add(Sharing);
    await reconciled('Sharing after');
  });

  test('a reconcile that ignores its signal can no longer write once its class is removed', async () => {
    let write: () => Promise<unknown> = () => Promise.resolve();
    let unblock: () => void = () => undefined;
    @Controller({ for: ConfigMap, name: 'stubborn' })
    class Stubborn extends ObjectController<ConfigMap> {
      async reconcile(ctx: Context): Promise<void> {
        const { name } = this.object.metadata;
        if (name !== 'stubborn') return;
        write = () => ctx.patch(ConfigMap, name, { data: { written: 'late' } });
        await new Promise<void>((resolve) => (unblock = resolve));
      }
    }
    const manager = await start({ gracefulShutdownTimeout: 10 });
    manager.add(Stubborn);
    await createConfigMap('stubborn');
    await eventually(() => expect(String(write)).toContain('patch'));
    await manager.remove(Stubborn);
    await expect(write()).rejects.toThrow('Stubborn was removed from the manager');
    expect((await client.get(ConfigMap, 'stubborn', { namespace })).data).toBeUndefined();
    unblock();
  });

  test('a class can be removed before its kind is installed', async () => {
    const manager = await start();
    manager.add(LateController);
    await eventually(() => expect(logger.messages('error').join()).toMatch(/could not find .*lates/));
    await manager.remove(LateController);
    expect(isStarted('late')).toBe(false);
    await started('base');
  });

  test('after a class was added and removed 100 times, no timer, socket or metric is left', async () => {
    const metrics = await createMetrics({ ofProcess: false });
    const manager = await start({ metrics });
    await started('base');
    const cycle = async (): Promise<void> => {
      runs.length = 0;
      manager.add(Everything).add(Sharing);
      await reconciled('Everything first');
      await Promise.all([manager.remove(Everything), manager.remove(Sharing)]);
    };
    await cycle();
    const before = { series: await seriesOf(metrics), resources: resources() };
    for (let count = 0; count < 99; count++) await cycle();
    expect(await seriesOf(metrics)).toEqual(before.series);
    expect(before.series.join()).not.toMatch(/everything|sharing|secrets/);
    await eventually(() => {
      const { sockets, timers } = resources();
      // Some more or less: the client keeps idle connections for a while. A leak leaves one for each cycle.
      expect(sockets).toBeLessThan(before.resources.sockets + 10);
      expect(timers).toBeLessThan(before.resources.timers + 10);
    });
  });
});

/** The number of open sockets and of pending timers. */
function resources(): { readonly sockets: number; readonly timers: number } {
  const count = (name: string): number => process.getActiveResourcesInfo().filter((found) => found === name).length;
  return { sockets: count('TCPSocketWrap'), timers: count('Timeout') };
}

describe('a kind that is deleted and installed again', () => {
  const definition = {
    metadata: { name: 'lates.test.kindwright.dev' },
    spec: {
      group: 'test.kindwright.dev',
      scope: 'Namespaced',
      names: { kind: 'Late', plural: 'lates', singular: 'late', listKind: 'LateList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  } as const;
  const install = async (): Promise<void> => {
    await client.create(CustomResourceDefinition, definition as never);
    await eventually(async () => expect(await client.serves(Late)).toBe(true));
  };

  test('a controller of a kind by name follows its CRD when it is installed, deleted and installed again', async () => {
    const manager = await start();
    manager.add(LateController);
    await eventually(() => expect(logger.messages('error').join()).toMatch(/could not find .*lates/));
    await install();
    await started('late');
    await client.create(Late, { metadata: { name: 'one', namespace } });
    await reconciled('LateController one');
    const before = logger.lines.length;
    await client.delete(CustomResourceDefinition, definition.metadata.name);
    await eventually(() => expect(logger.messages('error').slice(1).join()).toMatch(/could not find .*lates/));
    await eventually(async () => expect(await client.serves(Late)).toBe(false));
    await install();
    await client.create(Late, { metadata: { name: 'two', namespace } });
    await reconciled('LateController two');
    const lines = logger.lines.slice(before).filter(({ level }) => level === 'error' || level === 'warn');
    expect(lines.map(({ message }) => message)).toEqual([expect.stringMatching(/could not find .*lates/)]);
  });

  test('an object that needs a kind by name is reconciled when its CRD is installed and when the named object changes', async () => {
    const manager = await start();
    manager.add(NeedsLate);
    await client.delete(CustomResourceDefinition, definition.metadata.name);
    await eventually(async () => expect(await client.serves(Late)).toBe(false));
    await client.create(Secret, { metadata: { name: 'needing', namespace } });
    await eventually(() => expect(late).toEqual(['not served']));
    await install();
    await eventually(() => expect(late.at(-1)).toBe('false'));
    await client.create(Late, { metadata: { name: 'other', namespace } });
    await client.create(Late, { metadata: { name: 'one', namespace } });
    await eventually(() => expect(late).toEqual(['not served', 'false', 'true']));
  });
});
