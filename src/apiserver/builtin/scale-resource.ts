import { valueAt, type ApiObject } from '../objects/api-object.js';
import { builtinCodec } from './builtin-codec.js';
import type { Resource, ScalePaths } from '../resources/resource.js';

const SCALE = { apiVersion: 'autoscaling/v1', kind: 'Scale' } as const;
const codec = builtinCodec({ struct: 'autoscaling/v1.Scale', ...SCALE, applyDefaults: undefined });

/** Returns a resource for the scale subresource, based on the scaled resource. */
export function scaleResource(resource: Resource): Resource {
  const own: Partial<Resource> = { ...SCALE, group: 'autoscaling', version: 'v1', isCustom: false, codec };
  const values = Object.entries(own).map(([key, value]) => [key, { value, enumerable: true }]);
  return Object.create(resource, Object.fromEntries(values) as PropertyDescriptorMap) as Resource;
}

/** Returns the scale of an object, with a size for objects without replicas. */
export function toScale(paths: ScalePaths, object: ApiObject, otherwise: number): ApiObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const replicas = replicasOf(paths, object) ?? otherwise;
  const selector = paths.selector(object);
  const observed = valueAt(object, paths.statusReplicas);
  return {
    kind: SCALE.kind,
    apiVersion: SCALE.apiVersion,
    metadata: { name, ...(namespace !== undefined && { namespace }), uid, resourceVersion, creationTimestamp },
    spec: { ...(replicas !== 0 && { replicas }) },
    status: { replicas: typeof observed === 'number' ? observed : 0, ...(selector !== '' && { selector }) },
  } as ApiObject;
}

/** Returns the replicas of an object, if it has any. */
export function replicasOf(paths: ScalePaths, object: ApiObject): number | undefined {
  const value = valueAt(object, paths.specReplicas);
  return typeof value === 'number' ? value : undefined;
}
