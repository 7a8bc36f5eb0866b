import { hash } from 'node:crypto';
import { kindKey, type KindRef } from '../../api/kinds/kind-ref.js';
import type { Desired, KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import { keyOf } from '../../api/objects/object-key.js';
import { deepClone } from '../../base/deep-clone.js';
import { stringifyJson } from '../../base/json.js';
import { AlreadyExistsError, InvalidError } from '../../client/api-error.js';
import type { Context } from '../../resource/context.js';
import type { CustomResource } from '../../resource/custom-resource.js';
import type { DependentModel } from '../../resource/kinds/dependents.js';
import { LruMap } from '../run/lru-map.js';
import { isOwnedBy } from '../write/child-ownership.js';
import { desiredAddress } from './desired-address.js';
import type { ReconcileScope } from './reconcile-scope.js';
import type { WrittenDependent } from './written-dependent.js';

/** The messages with which Kubernetes, its kinds' validation and most CEL rules refuse the change of a field. */
const IMMUTABLE =
  /immutable|updates? (?:to|may)\b|may not (?:be )?change|cannot (?:be )?(?:change|update|modif)|can ?not be (?:changed|updated|modified)/i;

const MOST_RECREATED = 1_000;

/**
 * Applies the objects of `@Dependent` methods with `recreate: 'immutable'`.
 *
 * Flow: if the server refuses the change of an object that the owner owns, and would accept the desired object as a new one, the
 * object is deleted in the foreground by its uid; the reconcile after its deletion creates it.
 * Guarantees: nothing is deleted for an object that is invalid in itself, nor while `deleteWhen` returns false, nor twice for
 * the same desired object.
 */
export class DependentRecreation {
  /** The digest of the desired object for which each object was deleted last. */
  private readonly recreated = new LruMap<string>(MOST_RECREATED);

  async apply(run: ReconcileScope, dependent: DependentModel, desired: Desired<KubeObject>): Promise<WrittenDependent> {
    const { kind } = dependent;
    const { context } = run;
    const { name, at } = desiredAddress(desired);
    const present = await context.get(kind, name, at);
    if (present?.metadata.deletionTimestamp !== undefined) return deletionOf(kind, present);
    try {
      return { live: await context.apply(kind, desired) };
    } catch (error) {
      if (
        !present ||
        !isOwnedBy(present, run.owner) ||
        !(await isRefusedChange(context, kind, present, desired, error))
      )
        throw error;
      return this.replace(run, dependent, desired, present, error as InvalidError);
    }
  }

  private async replace(
    { context, instance }: ReconcileScope,
    { kind, options }: DependentModel,
    desired: Desired<KubeObject>,
    present: ReadonlyDeep<KubeObject>,
    refusal: InvalidError,
  ): Promise<WrittenDependent> {
    const { name, namespace } = present.metadata;
    const key = `${kindKey(kind)}/${keyOf(name, namespace)}`;
    const digest = hash('sha1', stringifyJson(desired), 'base64');
    // Admission or defaults change an immutable field of each new object: another deletion would not end.
    if (this.recreated.get(key) === digest) throw refusal;
    if (options.deleteWhen?.(deepClone(present) as KubeObject, instance as CustomResource) === false) {
      const why = `deleteWhen keeps ${kind.kind} ${name}, of which an immutable field has to change`;
      return { wait: { why, isPolled: true } };
    }
    this.recreated.set(key, digest);
    const note = `Deleted ${kind.kind} ${name} to create it again: ${refusal.message}`;
    context.event('Normal', 'Recreated', note, { action: 'Recreate', related: present });
    context.log.info('Recreating a dependent object, because an immutable field has to change', {
      object: `${kind.kind} ${keyOf(name, namespace)}`,
      refusal: refusal.message,
    });
    await context.delete(kind, present, { propagationPolicy: 'Foreground' });
    const { name: wanted, at } = desiredAddress(desired);
    const left = await context.get(kind, wanted, at);
    return left ? deletionOf(kind, left) : { live: await context.apply(kind, desired) };
  }
}

/** The deletion of an owned object reconciles its owner. */
function deletionOf({ kind }: KindRef, { metadata: { name } }: ReadonlyDeep<KubeObject>): WrittenDependent {
  return { wait: { why: `${kind} ${name} is being deleted and is created again afterwards` } };
}

/**
 * Returns whether the server refuses the change, but not the desired object. The dry run of a creation is validated before the
 * server finds that the name is taken.
 */
async function isRefusedChange(
  { client }: Context,
  kind: KindRef,
  { metadata }: ReadonlyDeep<KubeObject>,
  desired: Desired<KubeObject>,
  error: unknown,
): Promise<boolean> {
  if (!(error instanceof InvalidError) || !IMMUTABLE.test(error.message)) return false;
  const { name, namespace } = metadata;
  const created = {
    ...desired,
    metadata: { ...desired.metadata, name, ...(namespace !== undefined && { namespace }) },
  };
  try {
    await client.create(kind, created, { dryRun: true });
    return false; // it was deleted meanwhile
  } catch (refusal) {
    return refusal instanceof AlreadyExistsError;
  }
}
