import { kindKey, type KindRef } from '../api/kind-ref.js';
import type { Desired, KubeObject, ReadonlyDeep } from '../api/kube-object.js';
import type { Clock } from '../base/clock.js';
import { parseJson, stringifyJson } from '../base/json.js';
import type { Logger } from '../base/logger.js';
import { collectRejectedFields, keepsApplied } from './applied-state.js';
import { LruMap } from './lru-map.js';

type State = ReadonlyDeep<KubeObject>;

/** How often an apply is repeated at most whose fields the server has not stored as they were sent. */
const REJECTED_RETRY_MS = 60_000;

const MOST_REPORTED = 1_000;
/** How many reconciled objects that apply to one object are known. */
const MOST_WRITERS = 1_000;

/** The digest of what was applied, and the object that the server returned or that was found unchanged since. */
interface Applied {
  readonly digest: string;
  readonly object: State;
  /** Set if the object does not have these of the applied fields. */
  readonly rejected?: { readonly fields: string; readonly retryAtMs: number; readonly owner: string };
}

/** One apply: the key of the object, who applies it, and as which of several managers if the object is shared. */
export interface AppliedBy {
  readonly child: string;
  readonly owner: State;
  readonly sharedManager?: string | undefined;
}

/** The objects that a controller has applied in this process, by their keys. */
export class AppliedObjects {
  private readonly owned = new Map<string, Applied>();
  /** By the object and the field manager. */
  private readonly shared = new Map<string, LruMap<Applied>>();
  /** The rejected fields of each kind that were logged. */
  private readonly reported = new LruMap<true>(MOST_REPORTED);

  constructor(private readonly clock: Clock) {}

  /** Returns whether the same was applied before, and the cached object has kept it. */
  has(by: AppliedBy, digest: string, cached: State, desired: Desired<KubeObject>): boolean {
    const applied = this.of(by);
    if (applied?.digest !== digest || !keepsApplied(desired, applied.object, cached)) return false;
    const { rejected } = applied;
    if (rejected && (rejected.retryAtMs <= this.clock.monotonic() || rejected.owner !== stateOf(by.owner)))
      return false;
    if (applied.object !== cached) this.set(by, { ...applied, object: cached });
    return true;
  }

  /** Remembers the answer of the server. Applied fields that it does not have are logged once for each kind. */
  add(by: AppliedBy, kind: KindRef, digest: string, json: string, object: State, log: Logger): void {
    // The object of a cached part is equal to none, and much larger.
    if (kind.part?.reduce) return;
    const rejected: string[] = [];
    collectRejectedFields(parseJson(json), object, rejected);
    if (rejected.length === 0) {
      this.set(by, { digest, object });
      return;
    }
    const fields = rejected.join(', ');
    const retryAtMs = this.clock.monotonic() + REJECTED_RETRY_MS;
    this.set(by, { digest, object, rejected: { fields, retryAtMs, owner: stateOf(by.owner) } });
    const report = `${kindKey(kind)} ${fields}`;
    if (this.reported.get(report)) return;
    this.reported.set(report, true);
    log.warn('The server did not store applied fields as they were sent', { object: by.child, fields });
  }

  delete(child: string): void {
    this.owned.delete(child);
    this.shared.delete(child);
  }

  private of({ child, sharedManager }: AppliedBy): Applied | undefined {
    return sharedManager === undefined ? this.owned.get(child) : this.shared.get(child)?.get(sharedManager);
  }

  private set({ child, sharedManager }: AppliedBy, applied: Applied): void {
    if (sharedManager === undefined) {
      this.owned.set(child, applied);
      return;
    }
    const byManager = this.shared.get(child) ?? new LruMap<Applied>(MOST_WRITERS);
    this.shared.set(child, byManager);
    byManager.set(sharedManager, applied);
  }
}

/** Changes with what users change of an object, and not with its status. */
function stateOf({ metadata }: State): string {
  const { uid, generation, labels, annotations } = metadata;
  return stringifyJson([uid, generation, labels, annotations]);
}
