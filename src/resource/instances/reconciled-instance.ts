import { deepClone } from '../../base/deep-clone.js';
import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import { CustomResource } from '../custom-resource.js';
import { dehydrate } from '../../base/dehydrate.js';
import { hydrate } from './hydrate.js';
import type { ResourceModel } from '../model.js';
import { ObjectController } from '../object-controller.js';

/** An instance of a user's class, for one reconcile. */
export type ReconciledInstance = Pick<CustomResource, 'reconcile' | 'deleted'>;

type Members = Readonly<Record<string, unknown>>;

/**
 * Returns an instance with a private copy of the object: as its own members, or as `object` if another class defines
 * the kind.
 */
export function createInstance(model: ResourceModel, object: ReadonlyDeep<KubeObject>): ReconciledInstance {
  if (model.definesKind) return hydrate(model, object);
  const instance = new (model.target as unknown as new () => ObjectController<KubeObject>)();
  return Object.defineProperty(instance, 'object', { value: deepClone(object), enumerable: true });
}

/** The copy of the object that an instance holds. */
export function objectOf({ definesKind }: ResourceModel, instance: ReconciledInstance): Members {
  const members = instance as unknown as Members;
  return definesKind ? members : (members['object'] as Members);
}

/**
 * Returns the status that an instance leaves as plain JSON, without undefined members; undefined without a status.
 *
 * @throws OperatorError that names a value without a JSON form, such as a Map or NaN.
 */
export function desiredStatus(model: ResourceModel, instance: ReconciledInstance): unknown {
  const { status } = objectOf(model, instance);
  const path = model.definesKind ? 'status' : 'object.status';
  return status === undefined ? undefined : dehydrate(status, `${model.className}.${path}`);
}

/** Returns true if the class overrides `deleted`. */
export function overridesDeleted({ target }: Pick<ResourceModel, 'target'>): boolean {
  const { deleted } = target.prototype as Partial<ReconciledInstance>;
  return deleted !== CustomResource.prototype.deleted && deleted !== ObjectController.prototype.deleted;
}
