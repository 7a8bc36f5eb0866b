import { eachObject, numberAt, objectAt, stringAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';

/** The state of a Deployment from which its conditions are computed. */
export interface RolloutState {
  readonly deployment: ApiObject;
  readonly status: JsonObject;
  /** Name of the ReplicaSet of the present template, if it exists. */
  readonly replicaSet: string | undefined;
  /** The ReplicaFailure condition of one of its ReplicaSets. */
  readonly failure: JsonObject | undefined;
  readonly now: string;
}

const FAILURE = 'ReplicaFailure';
const PROGRESS = 'Progressing';
const [COMPLETE, STUCK, PAUSED] = ['NewReplicaSetAvailable', 'ProgressDeadlineExceeded', 'DeploymentPaused'];
/** The value of `progressDeadlineSeconds` that disables the deadline. */
const NO_DEADLINE = 2 ** 31 - 1;

type Condition = Readonly<Record<'type' | 'status' | 'reason' | 'message', string>>;

export function progressing(status: 'True' | 'False' | 'Unknown', reason: string, message: string): Condition {
  return { type: PROGRESS, status, reason, message };
}

/** Returns the conditions with one set; a condition with the same status and reason is left unchanged. */
export function withCondition(present: readonly JsonObject[], condition: Condition, now: string): JsonObject[] {
  const { type, status, reason, message } = condition;
  const old = present.find((each) => each.type === type);
  if (old?.status === status && old.reason === reason) return [...present];
  const lastTransitionTime = old?.status === status ? old.lastTransitionTime : now;
  const next = { type, status, lastUpdateTime: now, lastTransitionTime, reason, message };
  return [...present.filter((each) => each !== old), next];
}

export function conditionsOf({ status }: ApiObject): JsonObject[] {
  return eachObject(objectAt({ status }, 'status').conditions);
}

export function progressOf(deployment: ApiObject): JsonObject | undefined {
  return conditionsOf(deployment).find(({ type }) => type === PROGRESS);
}

export function hasDeadline({ spec }: ApiObject): boolean {
  return (numberAt(spec, 'progressDeadlineSeconds') ?? NO_DEADLINE) < NO_DEADLINE;
}

/** Returns the Progressing condition of a Deployment just paused or resumed; undefined after the deadline. */
export function pauseCondition(deployment: ApiObject): Condition | undefined {
  const isPaused = objectAt(deployment, 'spec').paused === true;
  const { reason } = progressOf(deployment) ?? {};
  if (!hasDeadline(deployment) || reason === STUCK || isPaused === (reason === PAUSED)) return undefined;
  return isPaused
    ? progressing('Unknown', PAUSED, 'Deployment is paused')
    : progressing('Unknown', 'DeploymentResumed', 'Deployment is resumed');
}

export function availability(isAvailable: boolean): Condition {
  return isAvailable
    ? {
        type: 'Available',
        status: 'True',
        reason: 'MinimumReplicasAvailable',
        message: 'Deployment has minimum availability.',
      }
    : {
        type: 'Available',
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      };
}

/** Returns the conditions that reflect the present state of the rollout. */
export function rolloutConditions(conditions: readonly JsonObject[], state: RolloutState): JsonObject[] {
  const { failure, now } = state;
  const others = progressed(conditions, state);
  if (!failure) return others.filter(({ type }) => type !== FAILURE);
  const [reason, message] = [stringAt(failure, 'reason'), stringAt(failure, 'message')];
  return withCondition(others, { type: FAILURE, status: 'True', reason, message }, now);
}

/** Milliseconds until the progress deadline is exceeded; undefined when the rollout is complete or has no deadline. */
export function untilDeadline(deployment: ApiObject, nowMs: number): number | undefined {
  const current = progressOf(deployment);
  if (!hasDeadline(deployment) || !current || current.reason === COMPLETE || current.reason === STUCK) return undefined;
  const seconds = numberAt(deployment.spec, 'progressDeadlineSeconds') ?? NO_DEADLINE;
  return Date.parse(stringAt(current, 'lastUpdateTime')) + seconds * 1000 - nowMs;
}

/** Returns whether all pods, and no others, have the present template and are available. */
export function isComplete({ metadata, spec }: ApiObject, status: unknown): boolean {
  const wanted = numberAt(spec, 'replicas') ?? 1;
  const isReached = (field: string): boolean => (numberAt(status, field) ?? 0) === wanted;
  return (
    ['replicas', 'updatedReplicas', 'availableReplicas'].every(isReached) &&
    (numberAt(status, 'observedGeneration') ?? 0) >= (metadata.generation ?? 0)
  );
}

function progressed(conditions: readonly JsonObject[], state: RolloutState): JsonObject[] {
  const { deployment, status, replicaSet, now } = state;
  if (!hasDeadline(deployment)) return conditions.filter(({ type }) => type !== PROGRESS);
  const current = progressOf(deployment);
  if (status.replicas === status.updatedReplicas && current?.reason === COMPLETE) return [...conditions];
  const subject = subjectOf(deployment, replicaSet);
  if (isComplete(deployment, status))
    return withCondition(conditions, progressing('True', COMPLETE, `${subject} has successfully progressed.`), now);
  if (hasProgressed(state)) return renewed(conditions, current, subject, now);
  const left = untilDeadline(deployment, Date.parse(now));
  if (left === undefined || left > 0) return [...conditions];
  return withCondition(conditions, progressing('False', STUCK, `${subject} has timed out progressing.`), now);
}

function subjectOf({ metadata }: ApiObject, replicaSet: string | undefined): string {
  return replicaSet === undefined ? `Deployment "${metadata.name}"` : `ReplicaSet "${replicaSet}"`;
}

/** Returns the conditions with a new update time: progress restarts the deadline. */
function renewed(
  conditions: readonly JsonObject[],
  current: JsonObject | undefined,
  subject: string,
  now: string,
): JsonObject[] {
  const { type, ...rest } = progressing('True', 'ReplicaSetUpdated', `${subject} is progressing.`);
  const lastTransitionTime = current?.status === 'True' ? current.lastTransitionTime : now;
  return [
    ...conditions.filter((each) => each.type !== type),
    { type, ...rest, lastUpdateTime: now, lastTransitionTime },
  ];
}

/** Returns whether new pods were created, old ones deleted, or more became ready since the last status update. */
function hasProgressed({ deployment, status }: RolloutState): boolean {
  const gain = (field: string): number => (numberAt(status, field) ?? 0) - (numberAt(deployment.status, field) ?? 0);
  const oldPods = gain('replicas') - gain('updatedReplicas');
  return gain('updatedReplicas') > 0 || oldPods < 0 || gain('readyReplicas') > 0 || gain('availableReplicas') > 0;
}
