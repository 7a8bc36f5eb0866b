import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  Client,
  Condition,
  ConfigMap,
  Controller,
  CoreEvent,
  CustomResource,
  Field,
  Finalizer,
  Kind,
  loadClusterConfig,
  NotFoundError,
  Owns,
  TerminalError,
  type Context,
} from 'kindwright';
import { eventually } from '../../../src/testing/eventually.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';
import { installKinds, RunningManager } from './running-manager.js';

const namespace = 'default';

class SensorStatus {
  @Field({ items: Condition, optional: true }) conditions?: Condition[];
}

type Step = 'fails' | 'is terminal' | 'is rejected' | 'is taken' | 'is contested' | 'hangs' | 'works';
const steps = new Map<string, Step>();

@Kind({ group: 'test.kindwright.dev', version: 'v1' })
@Controller({ maxConcurrentReconciles: 4, reconcileTimeout: 2000 })
@Owns(ConfigMap)
class Sensor extends CustomResource {
  @Field() status!: SensorStatus;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const step = steps.get(name);
    if (step === 'fails') throw new Error('no signal');
    if (step === 'is terminal') throw new TerminalError('wrong model');
    if (step === 'is rejected') await ctx.apply(ConfigMap, { metadata: { name: 'Not_A_Name' } });
    if (step === 'is taken')
      await ctx.apply(ConfigMap, { metadata: { name, labels: { app: name } }, data: { a: 'ours' } });
    if (step === 'is contested')
      await ctx.apply(ConfigMap, { metadata: { name }, data: { a: 'ours' } }, { force: false, adopt: true });
    if (step === 'hangs') await new Promise((_, reject) => (ctx.signal.onabort = () => reject(new Error('aborted'))));
  }

  @Finalizer('test.kindwright.dev/sensor')
  clean(): void {
    if (steps.get(this.metadata.name) === 'fails') throw new Error('still in use');
  }
}

let cluster: SuiteControlPlane;
let client: Client;
let manager: RunningManager;

beforeAll(async () => {
  cluster = await startSuiteControlPlane({ parts: ['etcd', 'apiserver'] });
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  await installKinds(client, [Sensor]);
  manager = await RunningManager.start(client, [Sensor]);
});
afterAll(async () => {
  await manager.stop();
  client.close();
  await cluster.stop();
});

const create = async (name: string, step: Step) => {
  steps.set(name, step);
  await client.create(Sensor, { metadata: { name, namespace } });
};
const conditions = async (name: string) => (await client.get(Sensor, name, { namespace })).status?.conditions;
const events = async (name: string) =>
  (await client.list(CoreEvent, { namespace, fieldSelector: `involvedObject.name=${name}` })).items;
const touch = (name: string) =>
  client.patch(Sensor, name, { metadata: { annotations: { touched: String(Math.random()) } } }, { namespace });

describe('a reconcile that keeps failing', () => {
  test.each<[Step, string, RegExp]>([
    ['fails', 'ReconcileFailed', /^Error: see the log of the operator$/],
    ['is terminal', 'ReconcileFailed', /^wrong model$/],
    ['is rejected', 'ReconcileFailed', /"Not_A_Name" is invalid/],
    ['hangs', 'ReconcileTimedOut', /^reconcile did not finish within 2000 ms$/],
  ])('a reconcile that %s is recorded as an Event and in the condition', async (step, reason, message) => {
    const name = step.replaceAll(' ', '-');
    await create(name, step);
    await eventually(async () =>
      expect(await conditions(name)).toMatchObject([
        { type: 'Reconciled', status: 'False', reason, message: expect.stringMatching(message) },
      ]),
    );
    await eventually(async () =>
      expect(await events(name)).toContainEqual(
        expect.objectContaining({ type: 'Warning', reason, message: expect.stringMatching(message) }),
      ),
    );
  });

  test.each<[Step, RegExp]>([
    ['is taken', /^ConfigMap default\/is-taken already exists and was not created for Sensor default\/is-taken$/],
    ['is contested', /conflict with "stranger"/],
  ])(
    'an object of another manager that %s is not changed, and the failure is reported immediately',
    async (step, message) => {
      const name = step.replaceAll(' ', '-');
      const stranger = { metadata: { name, namespace, labels: { app: name } }, data: { a: 'theirs' } };
      const before = await client.apply(ConfigMap, stranger, { fieldManager: 'stranger' });
      await create(name, step);
      await eventually(async () =>
        expect(await conditions(name)).toMatchObject([
          { type: 'Reconciled', status: 'False', reason: 'ReconcileFailed', message: expect.stringMatching(message) },
        ]),
      );
      await eventually(async () =>
        expect(await events(name)).toContainEqual(
          expect.objectContaining({ type: 'Warning', message: expect.stringMatching(message) }),
        ),
      );
      const first = manager.logger.lines.find(({ fields }) => fields.name === name && fields.attempt === 1);
      expect(first?.fields).toMatchObject({ nextRetry: '1s', hint: expect.any(String) });
      const after = await client.get(ConfigMap, name, { namespace });
      expect(after.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    },
  );

  test('the condition is True after the next success', async () => {
    await create('recovering', 'is terminal');
    await eventually(async () => expect(await conditions('recovering')).toMatchObject([{ status: 'False' }]));
    steps.set('recovering', 'works');
    await touch('recovering');
    await eventually(async () =>
      expect(await conditions('recovering')).toMatchObject([
        { type: 'Reconciled', status: 'True', reason: 'ReconcileSucceeded', observedGeneration: 1 },
      ]),
    );
  });

  test('an error of the server points to the line of reconcile that sent the request', async () => {
    const { fields } = await eventually(() => {
      const line = manager.logger.lines.find(({ fields: { name, err } }) => name === 'is-rejected' && err);
      if (!line) throw new Error('nothing was logged');
      return line;
    });
    expect((fields.err as Error).stack).toMatch(/test\/e2e\/sdk\/failures\.test\.ts:\d+/);
  });
});

test('an object that is reconciled without failures has no condition', async () => {
  await create('healthy', 'works');
  await eventually(async () => {
    const { metadata, status } = await client.get(Sensor, 'healthy', { namespace });
    expect(metadata.finalizers).toHaveLength(1);
    expect(status).toBeUndefined();
  });
  expect(await events('healthy')).toEqual([]);
});

test('a failing finalizer is recorded, and the object is deleted once it succeeds', async () => {
  await create('kept', 'works');
  await eventually(async () =>
    expect((await client.get(Sensor, 'kept', { namespace })).metadata.finalizers).toHaveLength(1),
  );
  steps.set('kept', 'fails');
  await client.delete(Sensor, 'kept', { namespace });
  await eventually(async () =>
    expect(await conditions('kept')).toMatchObject([
      { type: 'Reconciled', status: 'False', reason: 'FinalizerFailed', message: 'Error: see the log of the operator' },
    ]),
  );
  await eventually(async () =>
    expect(await events('kept')).toMatchObject([{ type: 'Warning', reason: 'FinalizerFailed' }]),
  );
  steps.set('kept', 'works');
  await touch('kept');
  await eventually(() => expect(client.get(Sensor, 'kept', { namespace })).rejects.toBeInstanceOf(NotFoundError));
});
