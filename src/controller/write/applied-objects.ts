import { kindKey, type KindRef } from '../../api/kinds/kind-ref.js';
import type { Desired, KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import type { JsonObject } from '../../base/json-object.js';
import type { Clock } from '../../base/clock.js';
import { parseJson, stringifyJson } from '../../base/json.js';
import type { Logger } from '../../base/logger.js';
import {
  AppliedFieldsReader,
  isAppliedTo,
  unownedLists,
  type AppliedFields,
} from '../../client/fields/applied-fields.js';
import type { FieldSet } from '../../client/fields/field-set.js';
import { collectRejectedFields, keepsApplied } from './applied-state.js';
import { LruMap } from '../run/lru-map.js';

type State = ReadonlyDeep<KubeObject>;

/** How often an apply is repeated at most when the server has not stored the fields as they were sent. */
const REJECTED_RETRY_MS = 60_000;

const MOST_REPORTED = 1_000;
/** How many reconciled objects that apply to one object are known. */
const MOST_WRITERS = 1_000;

/** The digest of what was applied, and the object that the server returned or that was found unchanged since. */
interface Applied {
  readonly digest: string;
  readonly object: State;
  /** The fields that the manager owns, without the owner references; undefined if they are unknown. */
  readonly fields?: FieldSet | undefined;
  /** Set if the object does not have these of the applied fields. */
  readonly rejected?: { readonly fields: string; readonly retryAtMs: number; readonly owner: string };
}

/** One apply: the key of the object, the applier, and its field manager, one of several if the object is shared. */
export interface AppliedBy {
  readonly kind: KindRef;
  readonly child: string;
  readonly owner: State;
  readonly manager: string;
  readonly isShared: boolean;
}

/** The objects that a controller has applied in this process, by their keys. */
export class AppliedObjects {
  private readonly owned = new Map<string, Applied>();
  /** By the object and the field manager. */
  private readonly shared = new Map<string, LruMap<Applied>>();
  /** The rejected fields of each kind that were logged. */
  private readonly reported = new LruMap<true>(MOST_REPORTED);
  private readonly reader = new AppliedFieldsReader();
  /** The empty lists that own no field, by kind and path. */
  private readonly unowned = new Set<string>();
  /** By the answers to applies. */
  private readonly fields = new WeakMap<State, FieldSet>();

  constructor(private readonly clock: Clock) {}

  /** Returns whether the same was applied before, and the cached object has kept it. */
  has(by: AppliedBy, digest: string, cached: State, desired: Desired<KubeObject>): boolean {
    const applied = this.of(by);
    if (applied?.digest !== digest || !keepsApplied(desired, applied.object, cached, applied.fields)) return false;
    const { rejected } = applied;
    if (rejected && (rejected.retryAtMs <= this.clock.monotonic() || rejected.owner !== stateOf(by.owner)))
      return false;
    if (applied.object !== cached) this.set(by, { ...applied, object: cached });
    return true;
  }

  /**
   * Returns whether an earlier process applied the same, and the cached object has kept it.
   *
   * @param listed what was applied to the cached object when it was listed
   * @param json the desired object
   */
  recall(by: AppliedBy, digest: string, cached: State, listed: readonly AppliedFields[], json: string): boolean {
    const own = this.of(by) ? undefined : listed.find(({ manager }) => manager === by.manager);
    const isUnowned = (path: string): boolean => this.unowned.has(`${kindKey(by.kind)}${path}`);
    if (!own || !isAppliedTo(cached, own, parseJson(json) as JsonObject, isUnowned)) return false;
    this.set(by, { digest, object: cached, fields: own.fields });
    return true;
  }

  /** Must be called with the answer of the server, before its managedFields are dropped and before `add`. */
  readFields(answer: State, manager: string): void {
    const [own] = this.reader.read(answer, (name) => name === manager) ?? [];
    if (own) this.fields.set(answer, own.fields);
  }

  /** Remembers the answer of the server. Applied fields that it does not have are logged once for each kind. */
  add(by: AppliedBy, digest: string, json: string, object: State, log: Logger): void {
    const { kind } = by;
    // The object of a cached part is equal to none, and much larger.
    if (kind.part?.reduce) return;
    const desired = parseJson(json) as JsonObject;
    const answered = this.fields.get(object);
    for (const path of answered ? unownedLists(answered, desired) : []) this.unowned.add(`${kindKey(kind)}${path}`);
    const rejected: string[] = [];
    collectRejectedFields(desired, object, rejected);
    if (rejected.length === 0) {
      this.set(by, { digest, object, fields: answered });
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

  private of({ child, manager, isShared }: AppliedBy): Applied | undefined {
    return isShared ? this.shared.get(child)?.get(manager) : this.owned.get(child);
  }

  private set({ child, manager, isShared }: AppliedBy, applied: Applied): void {
    if (!isShared) {
      this.owned.set(child, applied);
      return;
    }
    const byManager = this.shared.get(child) ?? new LruMap<Applied>(MOST_WRITERS);
    this.shared.set(child, byManager);
    byManager.set(manager, applied);
  }
}

/** Changes with what users change of an object, and not with its status. */
function stateOf({ metadata }: State): string {
  const { uid, generation, labels, annotations } = metadata;
  return stringifyJson([uid, generation, labels, annotations]);
}
