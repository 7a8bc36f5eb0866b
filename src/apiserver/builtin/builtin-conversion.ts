import {
  type ApiObject,
  type JsonObject,
  eachObject,
  isJsonObject,
  numberAt,
  objectAt,
  without,
} from '../objects/api-object.js';
import { CPU_AT_80, METRICS } from './autoscaler-defaults.js';

/** Converts objects of a version to and from the storage version. */
export interface Conversion {
  fromStorage(object: ApiObject): ApiObject;
  toStorage(object: ApiObject): ApiObject;
}

/** Names of Event fields in core/v1, the storage version, and events.k8s.io/v1. */
const EVENT_FIELDS: readonly (readonly [core: string, events: string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
];

function renamed(object: ApiObject, apiVersion: string, pairs: readonly (readonly [string, string])[]): ApiObject {
  const names = new Map(pairs);
  const entries = Object.entries(object).map(([name, value]) => [names.get(name) ?? name, value] as const);
  return { ...(Object.fromEntries(entries) as unknown as ApiObject), apiVersion };
}

const EVENT: Conversion = {
  fromStorage: (object) => renamed(object, 'events.k8s.io/v1', EVENT_FIELDS),
  toStorage: (object) =>
    renamed(
      object,
      'v1',
      EVENT_FIELDS.map(([core, events]) => [events, core]),
    ),
};

/** Annotation of autoscaling/v1 for the behavior, which it has no field for. */
const BEHAVIOR = 'autoscaling.alpha.kubernetes.io/behavior';

const AUTOSCALER: Conversion = {
  fromStorage(object) {
    const { metrics, behavior, ...spec } = objectAt(object, 'spec');
    const all = eachObject(metrics);
    const status = objectAt(object, 'status');
    const others = all.filter((metric) => cpuShare(metric) === undefined);
    const [share] = all.map(cpuShare).filter((found) => found !== undefined);
    const carried = {
      ...(others.length > 0 && { [METRICS]: JSON.stringify(others) }),
      ...(isJsonObject(behavior) && { [BEHAVIOR]: JSON.stringify(behavior) }),
    };
    const annotations = { ...object.metadata.annotations, ...carried };
    return {
      ...object,
      apiVersion: 'autoscaling/v1',
      metadata: { ...object.metadata, ...(Object.keys(annotations).length > 0 && { annotations }) },
      spec: { ...spec, ...(share !== undefined && { targetCPUUtilizationPercentage: share }) },
      status: { currentReplicas: 0, desiredReplicas: 0, ...without(status, 'currentMetrics', 'conditions') },
    };
  },
  toStorage(object) {
    const { targetCPUUtilizationPercentage: share, ...spec } = objectAt(object, 'spec');
    const { [METRICS]: metrics, [BEHAVIOR]: behavior, ...annotations } = object.metadata.annotations ?? {};
    const { currentReplicas, ...status } = objectAt(object, 'status');
    const target = { type: 'Utilization', averageUtilization: share };
    const cpu = share === undefined ? [] : [{ type: 'Resource', resource: { name: 'cpu', target } }];
    const all = [...((parsed(metrics) as JsonObject[] | undefined) ?? []), ...cpu];
    return {
      ...object,
      apiVersion: 'autoscaling/v2',
      metadata: {
        ...without(object.metadata, 'annotations'),
        ...(Object.keys(annotations).length > 0 && { annotations }),
      },
      spec: {
        ...spec,
        metrics: all.length > 0 ? all : [structuredClone(CPU_AT_80)],
        ...(behavior !== undefined && { behavior: parsed(behavior) }),
      },
      status: { currentMetrics: null, ...(currentReplicas ? { ...status, currentReplicas } : status) },
    };
  },
};

/** Returns the target CPU utilization of a metric; undefined for other metrics. */
function cpuShare(metric: JsonObject): number | undefined {
  const resource = objectAt(metric, 'resource');
  return metric.type === 'Resource' && resource.name === 'cpu'
    ? numberAt(objectAt(resource, 'target'), 'averageUtilization')
    : undefined;
}

/** Parses an annotation; undefined if invalid, as clients may set any value. */
function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface ConvertedKind {
  readonly kind: string;
  readonly stored: string;
  readonly served: string;
  readonly conversion: Conversion;
}

/** Kinds that are served in a version other than the storage version. */
const CONVERTED: readonly ConvertedKind[] = [
  { kind: 'Event', stored: 'v1', served: 'events.k8s.io/v1', conversion: EVENT },
  {
    kind: 'HorizontalPodAutoscaler',
    stored: 'autoscaling/v2',
    served: 'autoscaling/v1',
    conversion: AUTOSCALER,
  },
];

/** Returns the conversion of a version other than the storage version. */
export function builtinConversion(apiVersion: string, kind: string): Conversion | undefined {
  return CONVERTED.find((each) => each.kind === kind && each.served === apiVersion)?.conversion;
}

/** Returns the other version of a kind with two versions, and the conversion to it. */
export function otherVersion(
  apiVersion: string,
  kind: string,
): { readonly apiVersion: string; convert(object: ApiObject): ApiObject } | undefined {
  const found = CONVERTED.find((each) => each.kind === kind && [each.stored, each.served].includes(apiVersion));
  if (!found) return undefined;
  const { stored, served, conversion } = found;
  return served === apiVersion
    ? { apiVersion: stored, convert: (object) => conversion.toStorage(object) }
    : { apiVersion: served, convert: (object) => conversion.fromStorage(object) };
}
