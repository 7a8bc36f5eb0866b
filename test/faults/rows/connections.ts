import { setTimeout as delay } from 'node:timers/promises';
import { Client, ConfigMap, loadClusterConfig, Secret } from 'kindwright';
import { createServingIdentity } from '../../../src/pki/certificate.js';
import { assert, assertConverged, assertEqual, within } from '../oracles/converged.js';
import { applyChild } from '../harness/gear.js';
import type { Row } from '../harness/row.js';
import { WATCH_ENDS } from '../harness/settings.js';
import type { RowManager, World } from '../harness/world.js';
import { editLines, Gate, neverAnswer } from '../proxy/faults.js';
import { StallingForwarder } from '../proxy/stalling-forwarder.js';
import { listsOf } from './missed-events.js';

const PROBED = { healthProbeBindAddress: '127.0.0.1:0' };

/** The readiness of a manager that was started with `PROBED`. */
async function readiness({ manager }: RowManager): Promise<{ status: number; text: string }> {
  const { fields } = await manager.logged(/^Serving health probes$/);
  const response = await fetch(`http://${String(fields['address'])}/readyz`);
  return { status: response.status, text: await response.text() };
}

async function assertWaiting(world: World, started: RowManager, reason: RegExp): Promise<void> {
  await within(30_000, async () => {
    const { status, text } = await readiness(started);
    assertEqual(status, 503, 'readiness');
    assert(reason.test(text), `readiness does not name the reason: ${text}`);
  });
  assertEqual(world.record.runs.length, 0, 'reconciles before the caches have synced');
}

async function assertReady(started: RowManager): Promise<void> {
  assertEqual((await readiness(started)).status, 200, 'readiness');
}

export const CONNECTION_ROWS: readonly Row[] = [
  {
    id: 'F9',
    title: 'a dead watch connection is detected, and 100 changes arrive, within 55 s',
    async run(world) {
      const forwarder = await StallingForwarder.open(world.proxy.url);
      world.onEnd(() => forwarder.close());
      const config = await loadClusterConfig({ kubeconfig: world.kubeconfig, master: forwarder.url });
      const client = new Client(config);
      world.onEnd(() => client.close());
      for (let index = 0; index < 20; index++) await world.createGear(`g-${index}`);
      await world.start({}, undefined, client);
      await assertConverged(world);
      const before = forwarder.accepted;
      forwarder.stallOpenConnections();
      for (let index = 0; index < 100; index++) await world.changeGear(`g-${index % 20}`, `v-${index}`);
      await assertConverged(world, 55_000);
      assertEqual(listsOf(world, 'gears'), 1, 'lists');
      // For each kind a probe and a new watch, and one for each of four reconciles at the same time.
      assert(forwarder.accepted - before <= 8, `${forwarder.accepted - before} new connections`);
    },
  },
  {
    id: 'F1',
    title: 'an operator waits for a server that refuses connections at the start, and reconciles nothing before',
    async run(world) {
      await world.createGear('early');
      await world.proxy.refuse();
      const started = world.launch(PROBED);
      await assertWaiting(world, started, /gears.*ECONNREFUSED|refused/s);
      await delay(10_000);
      assertEqual((await readiness(started)).status, 503, 'readiness');
      await world.proxy.listen();
      await assertConverged(world, 35_000);
      await assertReady(started);
    },
  },
  {
    id: 'F2',
    title: 'the error for a host name that does not resolve contains the name and the cause, and a stop is quick',
    async run(world) {
      const config = await loadClusterConfig({
        kubeconfig: world.kubeconfig,
        master: 'https://api.faults.invalid:6443',
      });
      const client = new Client(config);
      world.onEnd(() => client.close());
      const { manager } = world.launch({}, undefined, client);
      await manager.logged(/cannot list and watch .*api\.faults\.invalid/);
      const before = performance.now();
      await manager.stop();
      assert(performance.now() - before < 2_000, 'the stop took more than 2 s');
      assertEqual(world.record.runs.length, 0, 'reconciles');
    },
  },
  {
    id: 'F3',
    title: 'a certificate of an unknown authority is reported, and not accepted until it is replaced',
    async run(world) {
      await world.createGear('early');
      await world.proxy.refuse();
      await world.proxy.listen(createServingIdentity(Date.now()));
      const started = world.launch(PROBED);
      await assertWaiting(world, started, /certificate/);
      assertEqual(world.proxy.calls.length, 0, 'requests on an unverified connection');
      await world.proxy.refuse();
      await world.proxy.listen();
      await assertConverged(world, 35_000);
      await assertReady(started);
    },
  },
  {
    id: 'F8',
    title: 'nothing is reconciled while one of the caches it reads has not synced, and readiness names that cache',
    async run(world) {
      const gate = new Gate();
      world.proxy.inject({ verb: 'watch', resource: 'configmaps' }, gate.requests, { times: 1 });
      await world.createGear('early');
      const started = world.launch(PROBED);
      await within(30_000, () => assertEqual(listsOf(world, 'gears'), 1, 'lists of gears'));
      await assertWaiting(world, started, /configmaps/);
      await delay(3_000);
      await assertWaiting(world, started, /configmaps/);
      gate.release();
      await assertConverged(world);
      await assertReady(started);
    },
  },
  {
    id: 'F10',
    title: 'a write and a read without a response time out, are retried, and do not affect other calls',
    async run(world) {
      world.gear = async (self, ctx) => {
        if (self.metadata.name === 'reads') await ctx.get(Secret, 'absent');
        await applyChild(self, ctx);
      };
      world.proxy.inject({ verb: 'apply', name: 'writes' }, neverAnswer, { times: 1 });
      world.proxy.inject({ verb: 'get', resource: 'secrets' }, neverAnswer, { times: 1 });
      await world.start();
      await world.createGear('reads');
      await world.createGear('writes');
      await world.createGear('other');
      await within(30_000, () => world.admin.get(ConfigMap, 'other', { namespace: world.namespace }));
      await assertConverged(world, 45_000);
    },
  },
  {
    id: 'F11',
    title: `watches that the server ends ${WATCH_ENDS} times are resumed without a list and without a gap`,
    async run(world) {
      await world.createGear('kept');
      await world.start();
      await assertConverged(world);
      for (let round = 0; round < WATCH_ENDS; round++) {
        await delay(1_200);
        for (const watch of world.proxy.watches()) watch.end();
        await world.changeGear('kept', `v-${round}`);
      }
      await assertConverged(world);
      assertEqual([listsOf(world, 'gears'), listsOf(world, 'configmaps')], [1, 1], 'lists');
    },
  },
  {
    id: 'F12',
    title: 'watches that end immediately are resumed with a growing back-off',
    async run(world) {
      await world.createGear('kept');
      await world.start();
      await assertConverged(world);
      const closing = world.proxy.inject(
        { verb: 'watch' },
        editLines(() => ({ send: [], then: 'end' })),
      );
      const ending = setInterval(() => {
        for (const watch of world.proxy.watches()) watch.end();
      }, 20);
      world.onEnd(() => clearInterval(ending));
      await delay(12_000);
      clearInterval(ending);
      closing.remove();
      assert(closing.hits >= 4 && closing.hits <= 14, `${closing.hits} watches of two kinds in 12 s`);
      await world.changeGear('kept', 'b');
      await assertConverged(world, 35_000);
    },
  },
];
