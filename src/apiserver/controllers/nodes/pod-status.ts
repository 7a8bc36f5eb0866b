import { goQuoted } from '../../../base/go-quoted.js';
import { eachObject, objectAt, stringAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';

/** The states of a pod's containers. */
export interface ContainerStates {
  readonly phase: string;
  /** Undefined when all are ready. */
  readonly unreadyReason: string | undefined;
  readonly stateOf: (container: string) => JsonObject;
}

/**
 * Returns the status that a kubelet reports for a pod. Init containers have completed by then; sidecars run as long as
 * the pod.
 */
export function podStatus(pod: ApiObject, now: string, states: ContainerStates): JsonObject {
  const status = objectAt(pod, 'status');
  const { phase, unreadyReason, stateOf } = states;
  const isOver = phase === 'Succeeded' || phase === 'Failed';
  const initial = eachObject(objectAt(pod, 'spec').initContainers);
  return {
    ...status,
    ...observed(pod),
    phase,
    conditions: conditionsOf(pod, now, unreadyReason),
    startTime: status.startTime ?? now,
    ...(initial.length > 0 && {
      initContainerStatuses: initial.map((container) => initStatus(pod, container, isOver, now)),
    }),
    containerStatuses: eachObject(objectAt(pod, 'spec').containers).map((container) => ({
      ...identity(container),
      ...stateOf(String(container.name)),
      ...(phase === 'Running' && grantedResources(container)),
    })),
  };
}

/** Returns the status of a running pod after its kubelet has observed changes of the pod. */
export function runningStatus(pod: ApiObject, now: string): JsonObject {
  const status = objectAt(pod, 'status');
  const spec = objectAt(pod, 'spec');
  const containers = new Map(eachObject(spec.containers).map((one) => [one.name, one]));
  const ephemeral = eachObject(spec.ephemeralContainers);
  const known = new Map(eachObject(status.ephemeralContainerStatuses).map((one) => [one.name, one]));
  return {
    ...status,
    ...observed(pod),
    conditions: eachObject(status.conditions).map((condition) => reviewed(pod, condition, now)),
    containerStatuses: eachObject(status.containerStatuses).map((one) =>
      one.resources === undefined ? one : { ...one, ...grantedResources(containers.get(one.name) ?? {}) },
    ),
    ...(ephemeral.length > 0 && {
      ephemeralContainerStatuses: ephemeral.map((one) => known.get(one.name) ?? ephemeralStatus(one, now)),
    }),
  };
}

const OWN_CONDITIONS = ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'];

function conditionsOf(pod: ApiObject, now: string, unreadyReason: string | undefined): JsonObject[] {
  const present = eachObject(objectAt(pod, 'status').conditions);
  const others = present.filter(({ type }) => !OWN_CONDITIONS.includes(String(type)));
  const readiness = unreadyReason === undefined ? gateProblem(pod) : { reason: unreadyReason };
  const containers = unreadyReason === undefined ? undefined : { reason: unreadyReason };
  return [
    condition(pod, 'Initialized', undefined, now),
    condition(pod, 'Ready', readiness, now),
    condition(pod, 'ContainersReady', containers, now),
    ...others,
    condition(pod, 'PodScheduled', undefined, now),
  ];
}

/**
 * Returns a condition with the observed generation. Statuses of the kubelet's conditions that a test has written are
 * kept.
 */
function reviewed(pod: ApiObject, present: JsonObject, now: string): JsonObject {
  if (!OWN_CONDITIONS.includes(String(present.type))) return present;
  const isGated = eachObject(objectAt(pod, 'spec').readinessGates).length > 0;
  const isReady = isGated && present.type === 'Ready' && containersAreReady(pod);
  return isReady ? condition(pod, 'Ready', gateProblem(pod), now) : { ...present, ...observed(pod) };
}

interface Problem {
  readonly reason: string;
  readonly message?: string;
}

function condition(pod: ApiObject, type: string, problem: Problem | undefined, now: string): JsonObject {
  const status = problem ? 'False' : 'True';
  const former = conditionOf(pod, type);
  return {
    type,
    ...observed(pod),
    status,
    ...problem,
    lastProbeTime: null,
    lastTransitionTime: former?.status === status ? former.lastTransitionTime : now,
  };
}

/** Returns why a pod with ready containers is not ready: a readiness gate is not met. */
function gateProblem(pod: ApiObject): Problem | undefined {
  const messages = eachObject(objectAt(pod, 'spec').readinessGates).flatMap(({ conditionType }) => {
    const gate = goQuoted(String(conditionType));
    const met = conditionOf(pod, String(conditionType));
    if (!met) return [`corresponding condition of pod readiness gate ${gate} does not exist.`];
    const status = stringAt(met, 'status');
    return status === 'True' ? [] : [`the status of pod readiness gate ${gate} is not "True", but ${status}`];
  });
  return messages.length === 0 ? undefined : { reason: 'ReadinessGatesNotReady', message: messages.join(', ') };
}

function conditionOf({ status }: ApiObject, type: string): JsonObject | undefined {
  return eachObject(objectAt({ status }, 'status').conditions).find((one) => one.type === type);
}

function containersAreReady(pod: ApiObject): boolean {
  return conditionOf(pod, 'ContainersReady')?.status === 'True';
}

function observed({ metadata: { generation } }: ApiObject): JsonObject {
  return generation === undefined ? {} : { observedGeneration: generation };
}

function identity({ name, image }: JsonObject): JsonObject {
  return { name, image, imageID: '' };
}

function initStatus(pod: ApiObject, container: JsonObject, isOver: boolean, now: string): JsonObject {
  const known = eachObject(objectAt(pod, 'status').initContainerStatuses).find(({ name }) => name === container.name);
  const { running, terminated } = objectAt(known, 'state');
  const isSidecar = stringAt(container, 'restartPolicy') === 'Always';
  const runs = isSidecar && !isOver;
  const startedAt = objectAt({ running }, 'running').startedAt ?? now;
  const ended = terminated ?? { exitCode: 0, reason: 'Completed', startedAt, finishedAt: now };
  return {
    ...identity(container),
    ready: runs || !isSidecar,
    restartCount: 0,
    started: runs,
    state: runs ? { running: { startedAt } } : { terminated: ended },
    lastState: {},
  };
}

function ephemeralStatus(container: JsonObject, now: string): JsonObject {
  const state = { running: { startedAt: now } };
  return { ...identity(container), ready: false, restartCount: 0, state, lastState: {} };
}

/** Returns the allocated resources of a container; pods without them in the status cannot be resized. */
function grantedResources(container: JsonObject): JsonObject {
  const resources = objectAt(container, 'resources');
  const { requests } = resources;
  return { resources, ...(requests !== undefined && { allocatedResources: requests }) };
}
