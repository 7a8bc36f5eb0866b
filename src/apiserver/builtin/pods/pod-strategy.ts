import {
  type ApiObject,
  type JsonObject,
  eachObject,
  numberAt,
  objectAt,
  stringAt,
  arrayAt,
  isJsonObject,
} from '../../objects/api-object.js';
import type { Strategy } from '../../resources/resource.js';
import { PathSet } from '../../apply/path-set.js';
import { ensureObject, setDefaults } from '../../objects/set-defaults.js';
import { qosClass } from '../../objects/qos-class.js';
import { onlyResources } from '../../validation/pods/pod-resize-validation.js';
import { onlyEphemeralContainers } from '../../validation/pods/containers/ephemeral-container-validation.js';

const STATUS_RESET = PathSet.fromFieldsV1({
  'f:spec': {},
  'f:metadata': { 'f:deletionTimestamp': {}, 'f:ownerReferences': {} },
});

/** The strategy of pods; sets the phase and the QoS class. */
export const podStrategy: Strategy = {
  hasGeneration: true,
  metadataChecks: 'whole',
  specOf: ({ spec }) => spec,
  prepareForCreate(next) {
    const spec = ensureObject(next, 'spec');
    applyLabelKeys(next);
    next.status = { phase: 'Pending', ...gated(next, spec), qosClass: qosClass(spec) };
  },
  prepareForUpdate(next, old, subresource) {
    if (subresource === 'ephemeralcontainers') keepAllBut(next, old, onlyEphemeralContainers);
    if (subresource === 'resize') keepAllBut(next, old, onlyResources);
    if (subresource !== 'status') return;
    if (old.metadata.deletionTimestamp === undefined) delete next.metadata.deletionTimestamp;
    if (old.metadata.ownerReferences) next.metadata.ownerReferences = old.metadata.ownerReferences;
    else delete next.metadata.ownerReferences;
    const status = ensureObject(next, 'status');
    setDefaults(status, { qosClass: objectAt(old, 'status').qosClass });
    keepGenerations(status, objectAt(old, 'status'));
  },
  graceSeconds: (pod, requested) => graceSeconds(pod, requested),
  resetFields: (subresource) => (subresource === 'status' ? STATUS_RESET : undefined),
};

/** Keeps observed generations that are missing in a status update. */
function keepGenerations(status: JsonObject, former: JsonObject): void {
  const keep = (next: JsonObject, old: JsonObject | undefined): void => {
    const seen = numberAt(old, 'observedGeneration');
    if (seen !== undefined && (numberAt(next, 'observedGeneration') ?? 0) === 0) next.observedGeneration = seen;
  };
  keep(status, former);
  const rest = eachObject(former.conditions);
  for (const condition of eachObject(status.conditions)) {
    const place = rest.findIndex(({ type }) => type === condition.type);
    if (place >= 0) keep(condition, rest.splice(place, 1)[0]);
  }
}

const KEPT_METADATA = ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const;

/** Restricts an update of the `ephemeralcontainers` or `resize` subresource to its own fields. */
function keepAllBut(
  next: ApiObject,
  old: ApiObject,
  specOf: (spec: JsonObject, former: JsonObject) => JsonObject,
): void {
  next.spec = specOf(objectAt(next, 'spec'), objectAt(old, 'spec'));
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

/** Adds the pod's values of `matchLabelKeys` and `mismatchLabelKeys` to the selectors. */
function applyLabelKeys(pod: ApiObject): void {
  const spec = objectAt(pod, 'spec');
  const labels = pod.metadata.labels ?? {};
  const affinity = objectAt(spec, 'affinity');
  for (const name of ['podAffinity', 'podAntiAffinity']) {
    const terms = objectAt(affinity, name);
    for (const weighted of eachObject(terms.preferredDuringSchedulingIgnoredDuringExecution))
      extendSelector(objectAt(weighted, 'podAffinityTerm'), labels);
    for (const term of eachObject(terms.requiredDuringSchedulingIgnoredDuringExecution)) extendSelector(term, labels);
  }
  for (const constraint of eachObject(spec.topologySpreadConstraints)) extendSelector(constraint, labels);
}

function extendSelector(term: JsonObject, labels: Readonly<Record<string, string>>): void {
  const selector = term.labelSelector;
  if (!isJsonObject(selector)) return;
  const added = [
    ['matchLabelKeys', 'In'],
    ['mismatchLabelKeys', 'NotIn'],
  ].flatMap(([keys = '', operator]) =>
    arrayAt(term, keys)
      .map(String)
      .filter((key) => labels[key] !== undefined)
      .map((key) => ({ key, operator, values: [labels[key]] })),
  );
  if (added.length > 0) selector.matchExpressions = [...arrayAt(selector, 'matchExpressions'), ...added];
}
