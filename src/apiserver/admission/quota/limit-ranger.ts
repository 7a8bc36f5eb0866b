import { deepClone } from '../../../base/deep-clone.js';
import {
  eachObject,
  isJsonObject,
  objectAt,
  stringAt,
  type ApiObject,
  type JsonObject,
} from '../../objects/api-object.js';
import type { ObjectStore } from '../../storage/object-store.js';
import { refused, type AdmissionAttributes } from '../../registry/admission.js';
import type { AdmissionPlugin } from '../admission-plugin.js';
import { podResources } from '../pods/pod-resources.js';
import { limitProblems } from './limit-problems.js';
import { resourceList } from '../../objects/resource-list.js';

const ANNOTATION = 'kubernetes.io/limit-ranger';

/**
 * Sets the default requests and limits of containers, and rejects pods and claims outside the limits of their
 * namespace.
 */
export class LimitRanger implements AdmissionPlugin {
  readonly name = 'LimitRanger';

  constructor(private readonly store: ObjectStore) {}

  mutate(request: AdmissionAttributes): ApiObject {
    if (request.resource.storage !== 'pods' || !isSupported(request)) return request.object;
    let { object } = request;
    for (const range of this.rangesOf(request)) object = withDefaults(object, range);
    return object;
  }

  validate(request: AdmissionAttributes): void {
    if (!isSupported(request)) return;
    const problems = request.resource.storage === 'pods' ? podProblems : claimProblems;
    for (const range of this.rangesOf(request)) {
      const found = [...new Set(limitsOf(range).flatMap((limit) => problems(limit, request.object)))];
      if (found.length > 0) throw refused(request, found.length === 1 ? (found[0] ?? '') : `[${found.join(', ')}]`);
    }
  }

  private rangesOf({ object }: AdmissionAttributes): ApiObject[] {
    const namespace = object.metadata.namespace ?? '';
    return [...this.store.collection('limitranges').range(`${namespace}/`)].map((stored) => stored.object);
  }
}

/** Applies to new pods, resized pods and claims; the containers of a pod cannot be added or removed later. */
function isSupported({ operation, resource, subresource, old }: AdmissionAttributes): boolean {
  if (operation === 'DELETE' || old?.metadata.deletionTimestamp !== undefined) return false;
  if (resource.storage === 'persistentvolumeclaims') return subresource === '';
  if (resource.storage !== 'pods') return false;
  return operation === 'CREATE' ? subresource === '' : subresource === 'resize';
}

function limitsOf({ spec }: ApiObject): JsonObject[] {
  return eachObject(objectAt({ spec }, 'spec').limits);
}

function withDefaults(pod: ApiObject, range: ApiObject): ApiObject {
  const defaults = limitsOf(range).filter(({ type }) => type === 'Container');
  const limits = Object.assign({}, ...defaults.map((limit) => objectAt(limit, 'default'))) as JsonObject;
  const requests = Object.assign({}, ...defaults.map((limit) => objectAt(limit, 'defaultRequest'))) as JsonObject;
  const next = deepClone(pod);
  const notes: string[] = [];
  const fill = (container: JsonObject, what: string): void => {
    const resources = isJsonObject(container.resources) ? container.resources : {};
    const about = `for ${what} ${stringAt(container, 'name')}`;
    for (const [member, missing, word] of [
      ['requests', requests, 'request'],
      ['limits', limits, 'limit'],
    ] as const) {
      const own = objectAt(resources, member);
      const added = Object.keys(missing).filter((name) => own[name] === undefined);
      if (added.length === 0) continue;
      resources[member] = { ...missing, ...own };
      notes.push(`${added.sort().join(', ')} ${word} ${about}`);
    }
    container.resources = resources;
  };
  for (const container of eachObject(objectAt(next, 'spec').containers)) fill(container, 'container');
  for (const container of eachObject(objectAt(next, 'spec').initContainers)) fill(container, 'init container');
  if (notes.length === 0) return pod;
  const annotations = { ...next.metadata.annotations, [ANNOTATION]: `LimitRanger plugin set: ${notes.join('; ')}` };
  return { ...next, metadata: { ...next.metadata, annotations } };
}

function podProblems(limit: JsonObject, pod: ApiObject): string[] {
  const spec = objectAt(pod, 'spec');
  if (limit.type === 'Pod') {
    const amounts = { requests: podResources(pod, 'requests'), limits: podResources(pod, 'limits') };
    return limitProblems(limit, amounts);
  }
  if (limit.type !== 'Container') return [];
  return [...eachObject(spec.containers), ...eachObject(spec.initContainers)].flatMap(({ resources }) =>
    limitProblems(limit, {
      requests: resourceList(objectAt({ resources }, 'resources').requests),
      limits: resourceList(objectAt({ resources }, 'resources').limits),
    }),
  );
}

/** Checks claims, which have only requests. */
function claimProblems(limit: JsonObject, claim: ApiObject): string[] {
  if (limit.type !== 'PersistentVolumeClaim') return [];
  const { resources } = objectAt(claim, 'spec');
  const requests = resourceList(objectAt({ resources }, 'resources').requests);
  return limitProblems(limit, { requests, limits: undefined });
}
