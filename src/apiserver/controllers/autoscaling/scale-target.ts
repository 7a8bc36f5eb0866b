import { badRequest } from '../../errors/status-error.js';
import { numberAt, objectAt, stringAt, type ApiObject } from '../../objects/api-object.js';
import { groupOf } from '../../objects/group-of.js';
import type { Resource, ScalePaths } from '../../resources/resource.js';
import { toScale } from '../../builtin/scale-resource.js';
import type { ClusterClient } from '../cluster-client.js';

/** The target of an autoscaler. */
export interface ScaleTarget {
  readonly resource: Resource;
  readonly paths: ScalePaths;
  readonly object: ApiObject;
  /** `spec.replicas` of the scale. */
  readonly replicas: number;
  /** `status.replicas` of the scale. */
  readonly present: number;
  readonly selector: string;
}

/**
 * Returns the target of an autoscaler.
 *
 * @throws StatusError if it is missing or has no scale subresource.
 */
export function scaleTargetOf(client: ClusterClient, { metadata, spec }: ApiObject): ScaleTarget {
  const { apiVersion = '', kind = '', name = '' } = objectAt({ spec }, 'spec').scaleTargetRef as Record<string, string>;
  const resource = client.api.resources.ofKind(apiVersion, kind);
  if (!resource?.scale) throw badRequest(`no matches for kind "${kind}" in group "${groupOf(apiVersion)}"`);
  const { object } = client.api.registry.get(resource, name, metadata.namespace);
  const scale = toScale(resource.scale, object, 0);
  return {
    resource,
    paths: resource.scale,
    object,
    replicas: numberAt(scale.spec, 'replicas') ?? 0,
    present: numberAt(scale.status, 'replicas') ?? 0,
    selector: stringAt(scale.status, 'selector'),
  };
}
