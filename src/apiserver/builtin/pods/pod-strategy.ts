import { isJsonObject, numberAt, objectAt, stringAt, type ApiObject, type JsonObject } from '../../object.js';
import type { Strategy } from '../../resources/resource.js';
import { PathSet } from '../../apply/path-set.js';
import { canonicalQuantity } from '../../../api/quantity.js';
import { eachObject, ensureObject, setDefaults } from '../set-default.js';
import { onlyEphemeralContainers } from '../../validation/pods/ephemeral-container-validation.js';

const STATUS_RESET = PathSet.fromFieldsV1({
  'f:spec': {},
  'f:metadata': { 'f:deletionTimestamp': {}, 'f:ownerReferences': {} },
});

/** Pods get a phase and a QoS class. */
export const podStrategy: Strategy = {
  hasGeneration: true,
  metadataChecks: 'whole',
  specOf: ({ spec }) => spec,
  prepareForCreate(next) {
    const spec = ensureObject(next, 'spec');
    next.status = { phase: 'Pending', ...gated(next, spec), qosClass: qosClass(spec) };
  },
  prepareForUpdate(next, old, subresource) {
    if (subresource === 'ephemeralcontainers') keepAllButEphemeral(next, old);
    if (subresource !== 'status') return;
    if (old.metadata.ownerReferences) next.metadata.ownerReferences = old.metadata.ownerReferences;
    else delete next.metadata.ownerReferences;
    setDefaults(ensureObject(next, 'status'), { qosClass: objectAt(old, 'status').qosClass });
  },
  graceSeconds: (pod, requested) => graceSeconds(pod, requested),
  resetFields: (subresource) => (subresource === 'status' ? STATUS_RESET : undefined),
};

const KEPT_METADATA = ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const;

/** Debugging changes nothing of a pod but its ephemeral containers. */
function keepAllButEphemeral(next: ApiObject, old: ApiObject): void {
  next.spec = onlyEphemeralContainers(objectAt(next, 'spec'), objectAt(old, 'spec'));
  next.status = old.status;
  for (const field of KEPT_METADATA)
    if (old.metadata[field] === undefined) Reflect.deleteProperty(next.metadata, field);
    else Object.assign(next.metadata, { [field]: old.metadata[field] });
}

function gated({ metadata }: ApiObject, spec: JsonObject): JsonObject {
  if (eachObject(spec.schedulingGates).length === 0) return {};
  const condition = {
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: metadata.creationTimestamp,
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  };
  return { conditions: [condition] };
}

function graceSeconds(pod: ApiObject, requested: number | undefined): number {
  const period = requested ?? numberAt(pod.spec, 'terminationGracePeriodSeconds') ?? 30;
  const phase = stringAt(pod.status, 'phase');
  const isUnbound = stringAt(pod.spec, 'nodeName') === '';
  return isUnbound || phase === 'Succeeded' || phase === 'Failed' ? 0 : Math.max(0, period);
}

/** Guaranteed, Burstable or BestEffort, by cpu and memory of all containers. */
function qosClass(spec: JsonObject): string {
  const containers = [...eachObject(spec.containers), ...eachObject(spec.initContainers)];
  let [hasAny, isGuaranteed] = [false, containers.length > 0];
  for (const container of containers) {
    const resources = objectAt(container, 'resources');
    const [limits, requests] = [objectAt(resources, 'limits'), objectAt(resources, 'requests')];
    for (const name of ['cpu', 'memory']) {
      const [limit, request] = [amount(limits[name]), amount(requests[name])];
      if (limit !== undefined || request !== undefined) hasAny = true;
      if (limit === undefined || (request !== undefined && request !== limit)) isGuaranteed = false;
    }
  }
  if (!hasAny) return 'BestEffort';
  return isGuaranteed ? 'Guaranteed' : 'Burstable';
}

function amount(value: unknown): string | undefined {
  const canonical = canonicalQuantity(value);
  return canonical === '0' || isJsonObject(value) ? undefined : canonical;
}
