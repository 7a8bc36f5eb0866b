import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, ConfigMap, loadClusterConfig, Namespace, type CustomResource, type ManagerOptions } from 'kindwright';
import { CustomResourceDefinition } from '../../../src/api/kinds/kinds.js';
import { eventually } from '../../../src/testing/eventually.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';
import { RunningManager, installKinds } from './running-manager.js';
import { behaviors, Gadget, Widget } from './widget.js';

const namespace = 'default';
const READY = { healthProbeBindAddress: '127.0.0.1:0' };
let cluster: SuiteControlPlane;
let client: Client;
let manager: RunningManager | undefined;

beforeAll(async () => {
  cluster = await startSuiteControlPlane({ parts: ['etcd', 'apiserver'] });
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  await installKinds(client, [Widget, Gadget]);
});
afterAll(async () => {
  client.close();
  await cluster.stop();
});
afterEach(async () => {
  await manager?.stop();
  manager = undefined;
});

const run = (options: Partial<ManagerOptions> = {}, classes: (new () => CustomResource)[] = [Widget]) =>
  (manager = new RunningManager(client, classes, options));
const createWidget = (name: string, where = namespace) =>
  client.create(Widget, { metadata: { name, namespace: where }, spec: { value: 'a' } });

/** Returns the response of the running manager for a path; the log contains the address. */
async function ask(server: RegExp, path: string): Promise<{ readonly status: number; readonly text: string }> {
  const { fields } = await manager!.logged(server);
  const response = await fetch(`http://${String(fields.address)}${path}`);
  return { status: response.status, text: await response.text() };
}
const probe = (path: string) => ask(/^Serving health probes$/, path);

describe('start and stop', () => {
  test('start and stop are logged in the order of the events', async () => {
    await run().workersStarted();
    await manager!.stop();
    expect(manager!.logger.messages('info')).toEqual([
      'Setting up event handlers',
      'Starting Widget controller',
      'Waiting for informer caches to sync',
      'Starting workers',
      'Started workers',
      'Shutting down workers',
    ]);
  });

  test('nothing is reconciled before the caches it reads have synced', async () => {
    await client.create(ConfigMap, { metadata: { name: 'early', namespace } });
    await createWidget('early');
    const seen: unknown[] = [];
    behaviors.set('early', async (_self, ctx) => seen.push((await ctx.get(ConfigMap, 'early'))?.metadata.name));
    run();
    await eventually(() => expect(seen).toEqual(['early']));
  });

  test('a stop lets the running reconcile finish and takes no more keys', async () => {
    const runs: string[] = [];
    let finish: () => void = () => undefined;
    behaviors.set('slow', async (self) => {
      runs.push('begun');
      await new Promise<void>((resolve) => (finish = resolve));
      self.status.seen = 'finished';
    });
    await createWidget('slow');
    run();
    await eventually(() => expect(runs).toEqual(['begun']));
    const stopped = manager!.stop();
    await client.patch(Widget, 'slow', { spec: { value: 'b' } }, { namespace });
    finish();
    await stopped;
    expect((await client.get(Widget, 'slow', { namespace })).status?.seen).toBe('finished');
    expect(runs).toEqual(['begun']);
    behaviors.delete('slow');
  });

  test('a reconcile that does not finish in time is aborted', async () => {
    const reasons: unknown[] = [];
    behaviors.set('stuck', async (_self, ctx) => {
      await new Promise<void>((resolve) => {
        ctx.signal.addEventListener('abort', () => {
          reasons.push(ctx.signal.reason);
          resolve();
        });
      });
    });
    await createWidget('stuck');
    run({ gracefulShutdownTimeout: 50 });
    await manager!.workersStarted();
    await manager!.stop();
    expect(reasons).toEqual([new Error('the manager is shutting down')]);
    expect(manager!.logger.lines).toContainEqual(
      expect.objectContaining({
        message: 'Waiting for running reconciles',
        fields: expect.objectContaining({ keys: [`${namespace}/stuck`] }),
      }),
    );
    expect(manager!.logger.messages('warn')).toEqual(['Running reconciles are aborted']);
    behaviors.delete('stuck');
  });

  test('a reconcile that ignores its abort does not delay the stop, and cannot write any more', async () => {
    let write: (() => Promise<unknown>) | undefined;
    behaviors.set('deaf', async (_self, ctx) => {
      write = () => ctx.apply(ConfigMap, { metadata: { name: 'deaf' } });
      await new Promise(() => undefined);
    });
    await createWidget('deaf');
    run({ gracefulShutdownTimeout: 10 });
    await eventually(() => expect(write).toBeDefined());
    await manager!.stop();
    await expect(write!()).rejects.toThrow('the manager is shutting down');
    behaviors.delete('deaf');
  });

  test('a stop while disconnected is quick and clean', async () => {
    await cluster.stopPart('apiserver');
    run();
    await manager!.logged(/cannot list and watch/);
    await manager!.stop();
    await cluster.startPart('apiserver');
  });
});

describe('missing requirements', () => {
  test('a missing CRD is reported and waited for, while other controllers work', async () => {
    await client.delete(CustomResourceDefinition, 'gadgets.test.kindwright.dev');
    await eventually(async () => expect(await client.serves(Gadget)).toBe(false));
    run(READY, [Widget, Gadget]);
    const line = await manager!.logged(/could not find the requested resource/);
    expect(line).toMatchObject({ level: 'error', fields: { resource: 'gadgets.test.kindwright.dev' } });
    expect(line.fields.hint).toContain('--install');
    await manager!.workersStarted(1);
    const { status, text } = await probe('/readyz');
    expect(status).toBe(503);
    expect(text).toContain('the cache of gadgets.test.kindwright.dev has not synced');
    await installKinds(client, [Gadget]);
    await manager!.workersStarted(2);
    await eventually(async () => expect(await probe('/readyz')).toEqual({ status: 200, text: 'ok\n' }));
    expect(manager!.logger.messages('error')).toHaveLength(1);
  });

  test('a missing permission is reported with the verb, the resource, the user and the next step', async () => {
    const stranger = new Client(await loadClusterConfig({ kubeconfig: await cluster.user('stranger') }));
    manager = new RunningManager(stranger, [Widget]);
    const line = await manager.logged(/cannot list and watch configmaps/);
    expect(line.message).toMatch(/User "stranger" cannot \w+ resource "configmaps"/);
    expect(line.fields.hint).toMatch(/generate-manifests/);
    await cluster.kubectl([
      'create',
      'clusterrolebinding',
      'stranger',
      '--clusterrole=cluster-admin',
      '--user=stranger',
    ]);
    await manager.workersStarted();
    await manager.stop();
    stranger.close();
  });

  test('an unreachable server is reported with its host and the cause', async () => {
    await cluster.stopPart('apiserver');
    run(READY);
    const line = await manager!.logged(/cannot list and watch widgets/);
    expect(line.message).toContain(`${client.config.server.host}: connection refused`);
    expect((await probe('/healthz')).status).toBe(200);
    expect((await probe('/readyz')).text).toContain('connection refused');
    await cluster.startPart('apiserver');
    await manager!.workersStarted();
  });

  test('a missing permission of a reconcile is reported with the decorator to add', async () => {
    await cluster.kubectl([
      'create',
      'clusterrole',
      'limited',
      '--verb=get,list,watch',
      '--resource=widgets.test.kindwright.dev,configmaps',
    ]);
    await cluster.kubectl(['create', 'clusterrolebinding', 'limited', '--clusterrole=limited', '--user=limited']);
    const limited = new Client(await loadClusterConfig({ kubeconfig: await cluster.user('limited') }));
    behaviors.set('limited', (_self, ctx) => ctx.list(Namespace));
    await createWidget('limited');
    manager = new RunningManager(limited, [Widget]);
    const line = await manager.logged(/^Reconciler error$/);
    expect(line.fields.hint).toMatch(/^add @Watches\(Namespace, …\) to Widget .*else @Rbac\(Namespace, 'list'\)/);
    await manager.stop();
    limited.close();
    behaviors.delete('limited');
  });
});

describe('namespaces', () => {
  test('only objects in the given namespaces are reconciled', async () => {
    for (const name of ['watched', 'unwatched']) await client.create(Namespace, { metadata: { name } });
    const seen: unknown[] = [];
    behaviors.set('scoped', ({ metadata }) => seen.push(metadata.namespace));
    await createWidget('scoped', 'unwatched');
    await createWidget('scoped', 'watched');
    await createWidget('scoped');
    await run({ namespaces: ['watched', 'default'] }).workersStarted();
    await eventually(() => expect([...seen].sort()).toEqual(['default', 'watched']));
    behaviors.delete('scoped');
  });
});

describe('metrics', () => {
  test("metrics are served under controller-runtime's names", async () => {
    let runs = 0;
    behaviors.set('measured', () => {
      runs += 1;
      if (runs === 1) throw new TypeError('once');
    });
    await createWidget('measured');
    run({ metricsBindAddress: '127.0.0.1:0' });
    await eventually(() => expect(runs).toBe(2));
    const { text } = await eventually(async () => {
      const metrics = await ask(/^Serving metrics$/, '/metrics');
      expect(metrics.text).toContain('controller_runtime_active_workers{controller="widget"} 0');
      expect(metrics.text).toContain('workqueue_depth{name="widget",controller="widget"} 0');
      return metrics;
    });
    expect(text).toContain('controller_runtime_reconcile_errors_total{controller="widget"} 1');
    expect(text).toContain('controller_runtime_reconcile_panics_total{controller="widget"} 1');
    expect(text).toContain('controller_runtime_reconcile_total{controller="widget",result="error"} 1');
    expect(text).toContain('controller_runtime_reconcile_total{controller="widget",result="requeue_after"} 0');
    expect(text).toContain('controller_runtime_max_concurrent_reconciles{controller="widget"} 4');
    expect(text).toMatch(/controller_runtime_reconcile_time_seconds_bucket\{le="0.005",controller="widget"\} \d/);
    expect(text).toContain('workqueue_retries_total{name="widget",controller="widget"} 1');
    expect(text).toMatch(/workqueue_queue_duration_seconds_bucket\{le="1e-8",/);
    behaviors.delete('measured');
  });
});
