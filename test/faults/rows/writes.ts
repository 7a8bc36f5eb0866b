import { setTimeout as delay } from 'node:timers/promises';
import { ConfigMap, CoreEvent, toKindRef, type KubeObject } from 'kindwright';
import { assert, assertConverged, assertEqual, within } from '../oracles/converged.js';
import { applyChild } from '../harness/gear.js';
import type { Row } from '../harness/row.js';
import type { World } from '../harness/world.js';
import type { Fault } from '../proxy/fault.js';
import { answer, loseResponse, statusReply } from '../proxy/faults.js';
import { isWrite, type ProxiedCall } from '../proxy/proxied-call.js';
import { randomOf } from '../harness/settings.js';
import { isResumed, listsOf } from './missed-events.js';

/** The requests of one kind of child so far, as times between them in ms. */
function pausesOf({ proxy }: World, name: string): number[] {
  const times = proxy.writes.filter((call) => call.name === name).map(({ receivedMs }) => receivedMs);
  return times.slice(1).map((time, index) => time - (times[index] ?? 0));
}

async function assertEventFor({ admin, namespace }: World, name: string, message: RegExp): Promise<void> {
  await within(30_000, async () => {
    const { items } = await admin.list(CoreEvent, { namespace, fieldSelector: `involvedObject.name=${name}` });
    const texts = items.filter(({ type }) => type === 'Warning').map((event) => event.message ?? '');
    assert(
      texts.some((text) => message.test(text)),
      `no event of ${name} matches ${String(message)}: ${texts.join('; ')}`,
    );
  });
}

const HTML = '<html><body>Service unavailable</body></html>';

interface Refusal {
  readonly id: string;
  readonly title: string;
  readonly reply: ReturnType<typeof statusReply>;
}

const REFUSALS: readonly Refusal[] = [
  {
    id: 'quota',
    title: '403 for an exceeded quota',
    reply: statusReply(403, 'Forbidden', { message: 'configmaps "refused" is forbidden: exceeded quota: small' }),
  },
  {
    id: 'too-large',
    title: '413',
    reply: statusReply(413, 'RequestEntityTooLarge', { message: 'Request entity too large: limit is 3145728' }),
  },
  {
    id: 'invalid',
    title: '422',
    reply: statusReply(422, 'Invalid', { message: 'ConfigMap "refused" is invalid: data: Invalid value' }),
  },
];

export const WRITE_ROWS: readonly Row[] = [
  {
    id: 'F34',
    title: 'after a 429 with Retry-After, the request is not repeated sooner, and a watch does not cause a list',
    async run(world) {
      await world.start();
      await world.createGear('kept');
      await assertConverged(world);
      const lists = [listsOf(world, 'gears'), listsOf(world, 'configmaps')];
      const limited = answer(statusReply(429, 'TooManyRequests', { headers: { 'retry-after': '3' } }));
      const written = world.proxy.inject({ verb: 'apply', name: 'kept' }, limited, { times: 1 });
      const watched = world.proxy.inject({ verb: 'watch', where: isResumed }, limited, { times: 6 });
      for (const watch of world.proxy.watches()) watch.end();
      await within(30_000, () => assert(watched.hits >= 2, 'no watch was refused'));
      await world.changeGear('kept', 'b');
      await within(60_000, () => assert(written.hits === 1, 'no write was refused'));
      await assertConverged(world, 60_000);
      const pauses = pausesOf(world, 'kept').slice(-3);
      assert(Math.max(...pauses) >= 2_900, `the write was repeated after ${pauses.join(', ')} ms`);
      assertEqual([listsOf(world, 'gears'), listsOf(world, 'configmaps')], lists, 'lists');
    },
  },
  ...[1, 2, 3].map((sequence): Row => ({
    id: `F35-${sequence}`,
    title: `a burst of 500, 502, 503 and 504 with bodies of HTML loses nothing (random sequence ${sequence})`,
    async run(world) {
      for (let index = 0; index < 5; index++) await world.createGear(`g-${index}`);
      await world.start();
      await assertConverged(world);
      const random = randomOf(`F35-${sequence}`);
      const statuses = [500, 502, 503, 504];
      let isBroken = true;
      world.proxy.inject(
        {},
        {
          request: async () => {
            const status = statuses[Math.floor(random() * 6)];
            if (!isBroken || status === undefined) return undefined;
            return { status, headers: { 'content-type': 'text/html' }, body: Buffer.from(HTML) };
          },
        },
      );
      for (let round = 0; round < 8; round++) {
        for (const watch of world.proxy.watches()) if (random() < 0.5) watch.reset();
        await world.changeGear(`g-${Math.floor(random() * 5)}`, `v-${round}`);
        await delay(700);
      }
      isBroken = false;
      await assertConverged(world, 60_000);
    },
  })),
  {
    id: 'F36',
    title: 'while another client writes the same object continuously, no update of either is lost',
    async run(world) {
      const { admin, namespace } = world;
      await admin.create(ConfigMap, { metadata: { name: 'shared', namespace }, data: { ours: '0', rival: '0' } });
      let updates = 0;
      world.gear = async (self, ctx) => {
        const shared = await ctx.get(ConfigMap, 'shared');
        assert(shared !== undefined, 'no shared object');
        await ctx.update(ConfigMap, shared, (draft) => {
          draft.data = { ...draft.data, ours: String(Number(draft.data?.['ours']) + 1) };
        });
        updates += 1;
        self.status.seen = self.spec.value;
      };
      await world.start();
      await world.createGear('one');
      const over = new AbortController();
      let rivals = 0;
      const rival = (async () => {
        while (!over.signal.aborted) {
          await admin.patch(ConfigMap, 'shared', { data: { rival: String(++rivals) } }, { namespace });
          // A rival that is faster than a request would win each time on a slow machine.
          await delay(100);
        }
      })();
      try {
        for (let round = 0; round < 10; round++) {
          await world.changeGear('one', `v-${round}`);
          await within(30_000, async () => assertEqual((await world.gears())[0]?.status?.seen, `v-${round}`, 'status'));
        }
      } finally {
        over.abort();
        await rival;
      }
      await delay(500);
      const { data } = await admin.get(ConfigMap, 'shared', { namespace });
      assertEqual(data, { ours: String(updates), rival: String(rivals) }, 'data');
      assert(updates >= 11, `${updates} updates`);
    },
  },
  {
    id: 'F37',
    title: 'when the response of each first write of every object and verb is lost, nothing is stored twice or lost',
    async run(world) {
      const seen = new Set<string>();
      const isFirst = (call: ProxiedCall): boolean => {
        const key = `${call.verb} ${call.resource} ${call.subresource} ${call.name}`;
        if (!isWrite(call) || call.resource === 'events' || seen.has(key)) return false;
        seen.add(key);
        return true;
      };
      world.gear = async (self, ctx) => {
        const child = await ctx.get(ConfigMap, self.metadata.name);
        if (child && child.data?.['value'] !== self.spec.value && self.spec.value === 'replaced')
          await ctx.delete(ConfigMap, child);
        await applyChild(self, ctx);
      };
      // A write whose response was lost may be retried after the end state is reached.
      const convergedAfterRetries = (): Promise<void> => within(45_000, () => assertConverged(world));
      const lost = world.proxy.inject({ where: isFirst }, loseResponse);
      await world.start();
      for (const name of ['a', 'b', 'c']) await world.createGear(name);
      await convergedAfterRetries();
      await world.changeGear('a', 'replaced');
      await world.changeGear('b', 'changed');
      await world.deleteGear('c');
      await convergedAfterRetries();
      assert(lost.hits >= 7, `${lost.hits} responses were lost`);
    },
  },
  ...REFUSALS.map(({ id, title, reply }): Row => ({
    id: `F38-${id}`,
    title: `a write that the server rejects with ${title} is retried slowly and reported, and others are not delayed`,
    async run(world) {
      const refusing = world.proxy.inject({ verb: 'apply', name: 'refused' }, answer(reply));
      await world.start();
      await world.createGear('refused');
      await world.createGear('other');
      await within(30_000, () => world.admin.get(ConfigMap, 'other', { namespace: world.namespace }));
      await assertEventFor(world, 'refused', /exceeded quota|too large|is invalid/);
      await delay(5_000);
      assert(refusing.hits <= 8, `${refusing.hits} attempts`);
      refusing.remove();
      await world.changeGear('refused', 'b');
      await assertConverged(world, 60_000);
    },
  })),
  {
    id: 'F39',
    title: 'writing the status of an object that was deleted during the reconcile is not an error',
    async run(world) {
      world.gear = async (self, ctx) => {
        if (self.metadata.name !== 'short-lived') return applyChild(self, ctx);
        await world.deleteGear('short-lived');
        self.status.seen = 'too late';
      };
      const { manager } = await world.start();
      await world.createGear('short-lived');
      await world.createGear('kept');
      await assertConverged(world);
      const failures = manager.logger.messages().filter((message) => /Reconciler error/.test(message));
      assertEqual(failures, [], 'logged failures');
    },
  },
  {
    id: 'F40',
    title: 'with a server that takes 4 s for each request, everything converges',
    async run(world) {
      const slow: Fault = {
        request: async () => {
          await delay(4_000);
          return undefined;
        },
      };
      const injected = world.proxy.inject({}, slow);
      await world.createGear('first');
      await world.start();
      await world.createGear('second');
      await world.changeGear('first', 'b');
      await within(60_000, async () => {
        const seen = (await world.gears()).map(({ status }: { status?: { seen?: string } }) => status?.seen);
        assertEqual(seen, ['b', 'a'], 'status');
      });
      injected.remove();
      await assertConverged(world, 30_000);
    },
  },
  {
    id: 'F41',
    title: 'while an admission webhook cannot be reached, writes are retried and the reason is recorded',
    async run(world) {
      const { admin, namespace } = world;
      await world.start();
      const webhook = {
        name: 'down.faults.kindwright.dev',
        clientConfig: { url: 'https://127.0.0.1:1/validate' },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] }],
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        failurePolicy: 'Fail',
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        timeoutSeconds: 1,
      };
      const metadata = { name: `down-${namespace}` };
      await admin.create(WEBHOOKS, { metadata, webhooks: [webhook] } as KubeObject);
      world.onEnd(() => admin.delete(WEBHOOKS, metadata.name).catch(() => undefined));
      await delay(1_500);
      await world.createGear('held');
      await assertEventFor(world, 'held', /failed calling webhook/);
      await admin.delete(WEBHOOKS, metadata.name);
      await assertConverged(world, 60_000);
    },
  },
];

const WEBHOOKS = toKindRef({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
  scope: 'Cluster',
});
