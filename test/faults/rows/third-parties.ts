import { setTimeout as delay } from 'node:timers/promises';
import { ConfigMap, MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding } from 'kindwright';
import { Gear } from '../harness/gear.js';
import type { Row } from '../harness/row.js';
import type { World } from '../harness/world.js';
import { assert, assertConverged, assertEqual, within } from '../oracles/converged.js';
import { listsOf } from './missed-events.js';

/** Longer than the time limit of the first list. */
const LIST_MS = 45_000;
const REJECTED = 'The server did not store applied fields as they were sent';

/** Has the API server replace the value of each ConfigMap of the row, as a webhook of another team may. */
async function replaceValues({ admin, namespace }: World): Promise<() => Promise<void>> {
  const metadata = { name: namespace };
  const resourceRules = [
    { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE', 'UPDATE'] },
  ];
  await admin.create(MutatingAdmissionPolicy, {
    metadata,
    spec: {
      failurePolicy: 'Fail',
      reinvocationPolicy: 'Never',
      matchConstraints: { resourceRules },
      mutations: [
        { patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{data: {"value": "theirs"}}' } },
      ],
    },
  });
  const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': namespace } };
  await admin.create(MutatingAdmissionPolicyBinding, {
    metadata,
    spec: { policyName: namespace, matchResources: { namespaceSelector } },
  });
  const stores = (value: string): Promise<void> =>
    within(30_000, async () => {
      const probe = { metadata: { name: 'probe', namespace }, data: { value: 'ours' } };
      const { data } = await admin.create(ConfigMap, probe, { dryRun: true });
      assertEqual(data, { value }, 'data');
    });
  await stores('theirs');
  return async () => {
    await admin.delete(MutatingAdmissionPolicyBinding, namespace);
    await admin.delete(MutatingAdmissionPolicy, namespace);
    await stores('ours');
  };
}

export const THIRD_PARTY_ROWS: readonly Row[] = [
  {
    id: 'F105',
    title: 'lists that begin after 45 s succeed, and the operator starts',
    async run(world) {
      const slow = world.proxy.inject(
        { resource: 'gears', where: ({ verb, query }) => verb === 'list' || query.has('sendInitialEvents') },
        { request: () => delay(LIST_MS, undefined) },
      );
      await world.createGear('early');
      world.launch();
      await within(240_000, () => assert(world.record.runs.length > 0, `${listsOf(world, 'gears')} lists`));
      slow.remove();
      await assertConverged(world, 60_000);
    },
  },
  {
    id: 'F107',
    title: 'a policy that changes a child causes no loop and one log line, and the child is right after its end',
    async run(world) {
      const { admin, namespace, proxy } = world;
      const allow = await replaceValues(world);
      world.onEnd(() => allow().catch(() => undefined));
      const { manager } = await world.start();
      for (const name of ['one', 'two']) await world.createGear(name);
      const value = async (name: string) => (await admin.get(ConfigMap, name, { namespace })).data?.['value'];
      await within(30_000, async () =>
        assertEqual([await value('one'), await value('two')], ['theirs', 'theirs'], 'values'),
      );
      await delay(5_000);
      const writes = (): number => proxy.writes.filter(({ resource }) => resource === 'configmaps').length;
      assert(writes() <= 4, `${writes()} writes of two children`);
      const before = writes();
      await world.changeGear('one', 'b');
      await within(30_000, () => assert(writes() > before, 'the changed object is not applied'));
      await delay(3_000);
      assert(writes() - before <= 2, `${writes() - before} writes after a change`);
      assertEqual(
        manager.logger.messages('warn').filter((text) => text === REJECTED),
        [REJECTED],
        'warnings',
      );
      await allow();
      for (const name of ['one', 'two'])
        await admin.patch(Gear, name, { metadata: { annotations: { touched: 'yes' } } }, { namespace });
      await assertConverged(world, 60_000);
    },
  },
];
