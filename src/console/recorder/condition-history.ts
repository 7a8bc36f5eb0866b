import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import { processRedactor } from '../../api/access/redaction.js';
import type { Clock } from '../../base/clock.js';
import { LruMap } from '../../controller/run/lru-map.js';
import { shownConditions } from './object-state.js';
import type { ConditionChange } from '../wire.js';

const MOST_OBJECTS = 2000;
const MOST_CHANGES = 50;

/** Remembers the earlier values of status conditions, by object and type. */
export class ConditionHistory {
  private readonly changes = new LruMap<ConditionChange[]>(MOST_OBJECTS);

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /** Must be called with each update of an object. */
  updated(old: ReadonlyDeep<KubeObject>, object: ReadonlyDeep<KubeObject>): void {
    const before = shownConditions(old);
    if (before.length === 0) return;
    const after = shownConditions(object);
    for (const { type, status, reason, message } of before) {
      if (after.find((condition) => condition.type === type)?.status === status) continue;
      const key = `${object.metadata.uid ?? ''} ${type}`;
      const list = this.changes.get(key) ?? [];
      list.push({
        at: this.clock.now(),
        status,
        ...(reason !== undefined && { reason }),
        message: processRedactor.text(message ?? '').slice(0, 500),
      });
      if (list.length > MOST_CHANGES) list.shift();
      this.changes.set(key, list);
    }
  }

  /** The values before the present one, the oldest first. */
  of(uid: string, type: string): readonly ConditionChange[] {
    return this.changes.get(`${uid} ${type}`) ?? [];
  }
}
