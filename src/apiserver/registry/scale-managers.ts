import { deepEqual } from '../../base/deep-equal.js';
import { withManagedFields, type FieldManager } from '../apply/field-manager.js';
import { scaledManagedFields, scaleManagedFields } from '../apply/scale-managed-fields.js';
import { kindText } from '../apply/kind-text.js';
import { StatusError } from '../errors/status-error.js';
import type { ApiObject, JsonObject } from '../objects/api-object.js';
import type { Resource, ScalePaths } from '../resources/resource.js';
import { scaleResource, toScale } from '../builtin/scale-resource.js';
import { AppliedConfiguration } from './applied-configuration.js';
import { resourceFieldManager } from './resource-field-manager.js';

/** Placeholder for missing replicas of a custom resource; a scale that still has it after an update is rejected. */
export const NOT_SET = -(2 ** 31);

/** Tracks the owners of a resource's replicas field for requests of the scale subresource. */
export class ScaleManagers {
  private readonly target: Resource;
  private readonly fieldManager: FieldManager;

  /** @param now as metav1.Time */
  constructor(
    private readonly resource: Resource,
    private readonly paths: ScalePaths,
    now: string,
  ) {
    this.target = scaleResource(resource);
    this.fieldManager = resourceFieldManager(this.target, { subresource: 'scale' }, now);
  }

  /** Returns the scale of an object, with the managedFields of its replicas. */
  scaleOf(object: ApiObject): ApiObject {
    const scale = toScale(this.paths, object, this.resource.isCustom ? NOT_SET : 0);
    return withManagedFields(scale, scaleManagedFields(object.metadata.managedFields, this.paths.replicasIn));
  }

  /** Returns `next` with the managedFields that result when `manager` scales `old`. */
  update(old: ApiObject, next: ApiObject, manager: string): ApiObject {
    const scale = this.fieldManager.update(this.scaleOf(old), toScale(this.paths, next, 0), manager);
    return this.carriedBack(old, next, scale);
  }

  /**
   * Returns the scale after a configuration was applied to it. For custom resources, the real server cannot convert a
   * Scale: applying fails if the scale has no managers or would change.
   * @throws StatusError Conflict that lists the conflicting fields
   */
  apply(scale: ApiObject, config: JsonObject, options: { fieldManager: string; force: boolean }): ApiObject {
    const configuration = new AppliedConfiguration(this.target, config);
    const { isCustom } = this.resource;
    const { apiVersion, kind } = this.target;
    if (isCustom && scale.metadata.managedFields === undefined)
      throw notConverted(
        `failed to create manager for existing fields: failed to convert live object (/; ${kindText(apiVersion, kind)})`,
        apiVersion,
      );
    const applied = configuration.applyTo(scale, this.fieldManager, options);
    if (isCustom && !deepEqual(withManagedFields(applied, []), withManagedFields(scale, [])))
      throw notConverted(`failed to convert new object (${configuration.name})`, apiVersion);
    return applied;
  }

  /** Returns `next` with the managedFields of `old`, updated with the owners of the replicas in `scale`. */
  carriedBack(old: ApiObject, next: ApiObject, scale: ApiObject): ApiObject {
    const { replicasIn } = this.paths;
    const { apiVersion } = this.resource;
    const [entries, ofScale] = [old.metadata.managedFields, scale.metadata.managedFields];
    return withManagedFields(next, scaledManagedFields(entries, ofScale, { replicasIn, apiVersion }));
  }
}

function notConverted(what: string, apiVersion: string): StatusError {
  const why = `request to convert CR to an invalid group/version: ${apiVersion}`;
  return new StatusError(500, '', `${what} to proper version: ${why}`);
}
