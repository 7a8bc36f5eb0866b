import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import { addObservedGeneration } from '../../api/objects/condition.js';
import { deepEqual } from '../../base/deep-equal.js';
import { isJsonObject, type JsonObject } from '../../base/json-object.js';
import { ownMember } from '../../base/own-member.js';
import { setMember } from '../../base/set-member.js';
import type { ResourceModel } from '../../resource/model.js';
import {
  createInstance,
  desiredStatus,
  objectOf,
  type ReconciledInstance,
} from '../../resource/instances/reconciled-instance.js';

/**
 * Keeps the status of an instance in step with what its method writes to the status subresource while it runs.
 *
 * After such a write, the members that it changed have their new value in the instance, except those that the method has
 * assigned; what it assigns later is compared with the written state. Otherwise a value that is equal to the one before
 * the write would count as unchanged, and would not be stored.
 */
export class StatusProgress {
  /** The generation that the method acts on; undefined if the conditions of the class have no `observedGeneration`. */
  private readonly generation: number | undefined;

  constructor(
    private readonly model: ResourceModel,
    private readonly instance: ReconciledInstance,
    /** The state that the status of the instance was derived from. */
    private state: ReadonlyDeep<KubeObject>,
    hasGeneration: boolean,
  ) {
    if (hasGeneration) this.generation = state.metadata.generation;
  }

  /** The object as the instance was derived from it, or as the last write of its status has left it. */
  get read(): ReadonlyDeep<KubeObject> {
    return this.state;
  }

  /**
   * The status of the instance as plain JSON; undefined for a class without a status, and for an object without a status if
   * that of the instance has no members, or is still the one that the class gives it, with nothing but empty lists and maps.
   */
  get desired(): unknown {
    const { model, state } = this;
    if (!model.hasStatus) return undefined;
    const status = this.status;
    const isInitial = (): boolean => deepEqual(status, desiredStatus(model, createInstance(model, state)));
    if (statusOf(state) !== undefined || !isEmpty(status)) return status;
    return Object.keys(status as object).length === 0 || isInitial() ? undefined : status;
  }

  /** Must be called with the answer to each write of the status; others than that of the object are ignored. */
  readonly wrote = (answer: ReadonlyDeep<KubeObject>): void => {
    if (answer.metadata.uid !== this.state.metadata.uid || !this.model.hasStatus) return;
    const mine = this.status;
    const fresh = objectOf(this.model, createInstance(this.model, answer));
    const [before, after] = [this.state, answer].map((object) => ({ status: statusOf(object) }));
    adopt(objectOf(this.model, this.instance), { status: mine }, before, after, { status: fresh['status'] });
    this.state = answer;
  };

  /** The status of the instance as JSON. */
  private get status(): unknown {
    const status = objectOf(this.model, this.instance)['status'] as { conditions?: unknown } | undefined;
    addObservedGeneration(status?.conditions, this.generation);
    return desiredStatus(this.model, this.instance);
  }
}

/** Sets the members of `target`, whose JSON is `mine`, to those of `fresh` where `after` differs from `before`. */
function adopt(target: unknown, mine: unknown, before: unknown, after: unknown, fresh: unknown): void {
  const [own, old, written, values] = [membersOf(mine), membersOf(before), membersOf(after), membersOf(fresh)];
  for (const key of new Set([...Object.keys(old), ...Object.keys(written)])) {
    const [is, was, becomes, value] = [own, old, written, values].map((members) => ownMember(members, key));
    if (deepEqual(was, becomes)) continue;
    const present = ownMember(target as JsonObject, key);
    if (isJsonObject(present) && isJsonObject(becomes)) adopt(present, is, was, becomes, value);
    else if (deepEqual(is, was)) setMember(target as JsonObject, key, value);
  }
}

function membersOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

function statusOf(object: ReadonlyDeep<KubeObject>): unknown {
  return (object as { readonly status?: unknown }).status;
}

/** Returns whether a value is an empty list or map, or a map of these. A zero, a false or an empty string is information. */
function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && value !== null && Object.values(value).every(isEmpty);
}
