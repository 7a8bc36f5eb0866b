import { objectKey } from '../../api/objects/object-key.js';
import { controllerOf } from '../../api/kinds/owner-reference.js';
import { processRedactor } from '../../api/access/redaction.js';
import type { Clock } from '../../base/clock.js';
import { parseTime } from '../../base/timestamp.js';
import type { RunSource } from '../access/visible-sources.js';
import type { RunObject, RunRecord } from '../recorder/run-record.js';
import type { ObjectRow } from '../wire.js';
import type { CachedObject, CachedObjects } from '../cached-objects.js';
import { kindId, objectRef } from '../kind-id.js';
import { objectState, type ObjectState } from '../recorder/object-state.js';

const MINUTE_MS = 60_000;
const FAILURES: ReadonlySet<string> = new Set(['failed', 'terminal', 'timeout']);

/** Turns cached objects into rows. */
export class ObjectView {
  constructor(
    private readonly objects: CachedObjects,
    private readonly history: RunSource,
    private readonly clock: Pick<Clock, 'now' | 'monotonic'>,
  ) {}

  row(cached: CachedObject): ObjectRow {
    const { kind, object, cluster } = cached;
    const { uid = '', resourceVersion = '', creationTimestamp } = object.metadata;
    const runs = this.runObjectsOf(cached);
    const last = runs.map((name) => this.history.lastOf(name)).find((record) => record !== undefined);
    const sinceMs = this.clock.monotonic() - MINUTE_MS;
    const perMinute = runs.reduce((sum, name) => sum + this.history.countSince(name, sinceMs), 0);
    const { level, state, detail } = withFailure(objectState(object), last);
    return {
      ...objectRef(kindId(kind), objectKey(object), { cluster }),
      uid,
      resourceVersion,
      createdAt: parseTime(creationTimestamp ?? '') ?? 0,
      level,
      state,
      ...(detail !== undefined && { detail: processRedactor.text(detail) }),
      ...lifeOf(object),
      ...(last && { lastRun: this.lastRun(last) }),
      ...(perMinute > 0 && { runsPerMinute: perMinute }),
    };
  }

  /** The object as each of its controllers reconciles it. */
  runObjectsOf({ kind, object, cluster }: CachedObject): RunObject[] {
    const key = objectKey(object);
    return this.objects
      .controllersOf(kindId(kind))
      .filter((controller) => controller.cluster === cluster)
      .map(({ item }) => ({ cluster, controller: item.name, key }));
  }

  private lastRun({ id, startMs, end }: RunRecord): NonNullable<ObjectRow['lastRun']> {
    const at = Math.round(this.clock.now() - this.clock.monotonic() + startMs);
    return { id, at, ...(end && { outcome: end.outcome }) };
  }
}

function lifeOf(
  object: CachedObject['object'],
): Pick<ObjectRow, 'generation' | 'observedGeneration' | 'owner' | 'isDeleting'> {
  const { generation, deletionTimestamp, ownerReferences } = object.metadata;
  const observed = (object as { status?: { observedGeneration?: unknown } }).status?.observedGeneration;
  const owner = (controllerOf(object) ?? ownerReferences?.[0])?.uid;
  return {
    ...(generation !== undefined && { generation }),
    ...(typeof observed === 'number' && { observedGeneration: observed }),
    ...(owner !== undefined && { owner }),
    ...(deletionTimestamp !== undefined && { isDeleting: true }),
  };
}

/** A failing reconcile is an error, whatever its status. */
function withFailure(state: ObjectState, last: RunRecord | undefined): ObjectState {
  const { outcome, error } = last?.end ?? {};
  if (outcome === undefined || !FAILURES.has(outcome) || state.level === 'error') return state;
  return { level: 'error', state: 'Failing', ...(error && { detail: error.message.slice(0, 200) }) };
}
