import { setTimeout as delay } from 'node:timers/promises';
import { ConfigMap } from 'kindwright';
import type { KubeObject, ReadonlyDeep } from '../../../src/api/objects/kube-object.js';
import { eventually } from '../../../src/testing/eventually.js';
import { Gear } from '../harness/gear.js';
import { QUIET_MS } from '../harness/settings.js';
import type { World } from '../harness/world.js';
import { isCounted, ledgerEntry } from './ledger.js';

const RECOVERY_MS = 30_000;

/** Waits until `check` neither throws nor rejects. */
export function within<T>(timeoutMs: number, check: () => T | Promise<T>): Promise<T> {
  return eventually(check, { timeout: timeoutMs, interval: '100ms' });
}

export function assert(isTrue: boolean, message: string): asserts isTrue {
  if (!isTrue) throw new Error(message);
}

export function assertEqual(actual: unknown, expected: unknown, what: string): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  assert(a === b, `${what}: expected ${b}, got ${a}`);
}

/**
 * The state in which every row must end, within the given time:
 * every cache equals a fresh list; every last generation was reconciled, and every deletion reported; children and
 * status are those of the specs. Then: no two reconciles of one key overlapped, and nothing is written any more.
 */
export async function assertConverged(world: World, timeoutMs = RECOVERY_MS): Promise<void> {
  await within(timeoutMs, async () => {
    await world.collectGarbage();
    await assertCachesEqualLists(world);
    await assertEverythingReconciled(world);
    await assertChildrenMatch(world);
  });
  assertEqual(world.record.overlaps(), [], 'reconciles of one key at the same time');
  await assertQuiet(world);
  if (!world.missesEvents) await assertNothingMissed(world);
}

/** The counter of missed events, for which `--monitoring` has an alert, is 0 for each kind. */
async function assertNothingMissed({ managers }: World): Promise<void> {
  for (const { metrics } of managers) {
    if (!metrics) continue;
    const { text } = await metrics.expose();
    const counts = text.split('\n').filter((line) => line.startsWith('kindwright_watch_missed_events_total{'));
    assert(counts.length > 0, 'missed events are not counted');
    assertEqual(
      counts.filter((line) => !line.endsWith(' 0')),
      [],
      'missed events',
    );
  }
}

/** The cache of each manager equals a fresh list of the server: uids, resource versions and contents. */
export async function assertCachesEqualLists({ admin, namespace, managers }: World): Promise<void> {
  for (const kind of [Gear, ConfigMap]) {
    const { items } = await admin.list(kind as typeof Gear, { namespace });
    const fresh = items.map(withoutVolatileNames).sort(byName);
    for (const { informers } of managers) {
      const cached = informers
        .lister(kind as typeof Gear)
        .list({ namespace })
        .map(withoutVolatileNames);
      assertEqual(cached.sort(byName), fresh, `cache of ${kind === Gear ? 'gears' : 'configmaps'}`);
    }
  }
}

/** Every final generation reached reconcile, and every deleted object that was ever reconciled was reported. */
async function assertEverythingReconciled({ admin, namespace, record, missesDeletions }: World): Promise<void> {
  const { items } = await admin.list(Gear, { namespace });
  for (const { metadata } of items) {
    const { uid = '', generation = 0, name } = metadata;
    assert(record.hasReconciled(uid, generation), `generation ${generation} of ${name} was not reconciled`);
  }
  if (missesDeletions) return;
  const alive = new Set(items.map(({ metadata }) => metadata.uid));
  for (const { uid, key } of record.runs) {
    if (!key.startsWith('Gear/') || alive.has(uid)) continue;
    assert(record.deleted.includes(uid), `the deletion of ${key} (${uid}) was not reported`);
  }
}

async function assertChildrenMatch({ admin, namespace }: World): Promise<void> {
  const { items } = await admin.list(Gear, { namespace });
  const names = ({ metadata }: KubeObject): string => metadata.name;
  const children = (await admin.list(ConfigMap, { namespace })).items.map(names).sort();
  assertEqual(children, items.map(names).sort(), 'children');
  for (const { metadata, spec, status } of items) {
    assertEqual(status?.seen, spec.value, `status of ${metadata.name}`);
    const { data } = await admin.get(ConfigMap, metadata.name, { namespace });
    assertEqual(data?.['value'], spec.value, `child of ${metadata.name}`);
  }
}

/** No write for a while. */
export async function assertQuiet({ proxy }: Pick<World, 'proxy'>): Promise<void> {
  const before = proxy.writes.length;
  await delay(QUIET_MS);
  const late = proxy.writes.slice(before).filter(isCounted).map(ledgerEntry);
  assertEqual(late, [], `writes within ${QUIET_MS} ms after convergence`);
}

function withoutVolatileNames(object: ReadonlyDeep<KubeObject>): unknown {
  const { apiVersion: _, kind: _kind, ...rest } = object;
  const { managedFields: _fields, ...metadata } = rest.metadata as typeof rest.metadata & { managedFields?: unknown };
  return sorted({ ...rest, metadata });
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
}

function byName(a: unknown, b: unknown): number {
  const name = (object: unknown): string => (object as KubeObject).metadata.name;
  return name(a) < name(b) ? -1 : 1;
}
