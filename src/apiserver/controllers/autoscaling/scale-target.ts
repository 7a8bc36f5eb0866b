import { badRequest } from '../../errors/status-error.js';
import { numberAt, objectAt, stringAt, type ApiObject } from '../../objects/api-object.js';
import { groupOf } from '../../objects/group-of.js';
import type { Resource, ScalePaths } from '../../resources/resource.js';
import { toScale } from '../../builtin/scale-resource.js';
import type { ClusterClient } from '../cluster-client.js';

/** What an autoscaler scales. */
export interface ScaleTarget {
  readonly resource: Resource;
  readonly paths: ScalePaths;
  readonly object: ApiObject;
  /** As they are wanted. */
  readonly replicas: number;
  /** As they are there. */
  readonly present: number;
  readonly selector: string;
}

/** The target of an autoscaler; refused if there is none that has a scale. */
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
