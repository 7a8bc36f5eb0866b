import { setTimeout as delay } from 'node:timers/promises';
import { ConfigMap } from 'kindwright';
import type { KubeObject, ReadonlyDeep } from '../../../src/api/objects/kube-object.js';
import { SecondApiserver } from '../harness/second-apiserver.js';
import { Gear } from '../harness/gear.js';
import type { Row } from '../harness/row.js';
import type { World } from '../harness/world.js';
import { assert, assertConverged, assertEqual, within } from '../oracles/converged.js';
import { isWrite } from '../proxy/proxied-call.js';

/** Records every step of a cache back in time: an older version of an object, or one that was reported as deleted. */
function recordSteps({ managers }: World): string[] {
  const wrong: string[] = [];
  const deleted = new Set<string>();
  const check = (old: ReadonlyDeep<KubeObject> | undefined, { metadata }: ReadonlyDeep<KubeObject>): void => {
    const { name, uid = '', resourceVersion } = metadata;
    if (deleted.has(uid)) wrong.push(`${name} (${uid}) returned after its deletion`);
    if (old && BigInt(resourceVersion ?? 0) < BigInt(old.metadata.resourceVersion ?? 0))
      wrong.push(`${name} went from version ${String(old.metadata.resourceVersion)} to ${String(resourceVersion)}`);
  };
  for (const { informers } of managers)
    for (const kind of [Gear, ConfigMap] as const)
      for (const informer of informers.informersFor(kind))
        informer.addEventHandler((event) => {
          if (event.type === 'delete') deleted.add(event.object.metadata.uid ?? '');
          else check(event.type === 'update' ? event.old : undefined, event.object);
        });
  return wrong;
}

async function startFrozen(world: World): Promise<SecondApiserver> {
  const second = await SecondApiserver.start(world.cluster.controlPlane);
  world.onEnd(() => second.stop());
  return second;
}

/** Answers all reads from the second server, as after a failure of the first. */
function readFrom({ proxy, cluster }: World, { url }: SecondApiserver): void {
  proxy.route = (call) => (isWrite(call) ? cluster.controlPlane.server : url);
  proxy.cut();
}

function readFromFirst({ proxy, cluster }: World): void {
  proxy.route = () => cluster.controlPlane.server;
  proxy.cut();
}

const childWrites = ({ proxy }: World): string[] =>
  proxy.writes.filter(({ resource }) => resource === 'configmaps').map(({ verb, name }) => `${verb} ${name}`);

async function versionOfChild({ admin, namespace }: World, name: string): Promise<string | undefined> {
  return (await admin.get(ConfigMap, name, { namespace })).metadata.resourceVersion;
}

export const STALE_SERVER_ROWS: readonly Row[] = [
  {
    id: 'F50',
    title:
      'after a move to a server with a frozen watch cache and back, caches never go back in time, and nothing is written twice',
    async run(world) {
      for (const name of ['changed', 'deleted', 'replaced']) await world.createGear(name);
      const second = await startFrozen(world);
      await world.start();
      await assertConverged(world);
      const wrong = recordSteps(world);
      second.freeze();
      await world.changeGear('changed', 'b');
      await world.deleteGear('deleted');
      await world.createGear('created');
      await assertConverged(world);
      const before = childWrites(world).length;
      readFrom(world, second);
      await world.changeGear('created', 'c');
      await world.deleteGear('replaced');
      await world.createGear('replaced', 'd');
      await delay(10_000);
      assertEqual(childWrites(world).slice(before), [], 'writes from the view of the frozen server');
      readFromFirst(world);
      await assertConverged(world, 60_000);
      assertEqual(childWrites(world).slice(before).sort(), ['apply created', 'apply replaced'], 'writes of children');
      readFrom(world, second);
      second.thaw();
      await world.changeGear('changed', 'e');
      await assertConverged(world, 90_000);
      assertEqual(wrong, [], 'steps back in time');
    },
  },
  {
    id: 'F50-start',
    title: 'an operator that starts on a server with a frozen watch cache writes nothing because of the older state',
    async run(world) {
      for (const name of ['kept', 'deleted']) await world.createGear(name);
      const second = await startFrozen(world);
      const first = await world.start();
      await assertConverged(world);
      second.freeze();
      await world.changeGear('kept', 'b');
      await world.deleteGear('deleted');
      await assertConverged(world);
      await first.manager.stop();
      world.managers.splice(0);
      const before = childWrites(world).length;
      const version = await versionOfChild(world, 'kept');
      readFrom(world, second);
      const { manager } = world.launch();
      await delay(8_000);
      assertEqual(childWrites(world).slice(before), [], 'writes from the view of the frozen server');
      const lists = world.proxy.calls.filter(({ resource, verb }) => resource === 'gears' && verb === 'list').length;
      readFromFirst(world);
      await within(60_000, () => manager.workersStarted());
      await assertConverged(world, 60_000);
      assertEqual(await versionOfChild(world, 'kept'), version, 'version of the child');
      assert(lists < 20, `${lists} lists while the server was frozen`);
    },
  },
];
