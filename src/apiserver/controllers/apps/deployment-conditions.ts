import { eachObject } from '../../builtin/set-default.js';
import { numberAt, objectAt, stringAt, type ApiObject, type JsonObject } from '../../object.js';

/** What a Deployment came to, from which its conditions follow. */
export interface RolloutState {
  readonly deployment: ApiObject;
  readonly status: JsonObject;
  /** Name of the ReplicaSet of the present template, once there is one. */
  readonly replicaSet: string | undefined;
  readonly isAvailable: boolean;
  /** Why a ReplicaSet of it cannot have its pods. */
  readonly failure: JsonObject | undefined;
  readonly now: string;
}

const FAILURE = 'ReplicaFailure';

type Condition = Readonly<Record<'type' | 'status' | 'reason' | 'message', string>>;

/** The conditions of the state; times move only with what they belong to. */
export function deploymentConditions(state: RolloutState): JsonObject[] {
  const present = eachObject(objectAt(state.deployment, 'status').conditions);
  const next = [availability(state), progress(state), failed(state)].filter((condition) => condition !== undefined);
  const kept = present.filter(({ type }) => type !== FAILURE && !next.some((condition) => condition.type === type));
  return [...kept, ...next.map((condition) => stamped(condition, present, state))];
}

/** Milliseconds until the rollout counts as stuck; undefined when it is done or has no deadline. */
export function untilDeadline(deployment: ApiObject, nowMs: number): number | undefined {
  const seconds = numberAt(deployment.spec, 'progressDeadlineSeconds');
  const current = eachObject(objectAt(deployment, 'status').conditions).find(({ type }) => type === 'Progressing');
  if (seconds === undefined || seconds >= 2147483647 || !current) return undefined;
  if (current.reason === 'NewReplicaSetAvailable' || current.status !== 'True') return undefined;
  return Date.parse(stringAt(current, 'lastUpdateTime')) + seconds * 1000 - nowMs;
}

function failed({ failure }: RolloutState): Condition | undefined {
  if (!failure) return undefined;
  const [reason, message] = [stringAt(failure, 'reason'), stringAt(failure, 'message')];
  return { type: FAILURE, status: 'True', reason, message };
}

function availability({ isAvailable }: RolloutState): Condition {
  const type = 'Available';
  return isAvailable
    ? {
        type,
        status: 'True',
        reason: 'MinimumReplicasAvailable',
        message: 'Deployment has minimum availability.',
      }
    : {
        type,
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      };
}

function progress(state: RolloutState): Condition | undefined {
  const { deployment, replicaSet } = state;
  const type = 'Progressing';
  const present = eachObject(objectAt(deployment, 'status').conditions).find((condition) => condition.type === type);
  if (objectAt(deployment, 'spec').paused === true)
    return { type, status: 'Unknown', reason: 'DeploymentPaused', message: 'Deployment is paused' };
  if (replicaSet === undefined) return undefined;
  const subject = `ReplicaSet "${replicaSet}"`;
  if (isComplete(state))
    return {
      type,
      status: 'True',
      reason: 'NewReplicaSetAvailable',
      message: `${subject} has successfully progressed.`,
    };
  const isSettled =
    present?.reason === 'NewReplicaSetAvailable' && state.status.replicas === state.status.updatedReplicas;
  if (isSettled && numberAt(deployment.status, 'observedGeneration') === deployment.metadata.generation)
    return undefined;
  if (isStuck(state, present))
    return {
      type,
      status: 'False',
      reason: 'ProgressDeadlineExceeded',
      message: `${subject} has timed out progressing.`,
    };
  return { type, status: 'True', reason: 'ReplicaSetUpdated', message: `${subject} is progressing.` };
}

function isComplete({ deployment, status }: RolloutState): boolean {
  const wanted = numberAt(deployment.spec, 'replicas') ?? 1;
  return ['replicas', 'updatedReplicas', 'availableReplicas'].every(
    (field) => (numberAt(status, field) ?? 0) === wanted,
  );
}

function isStuck(state: RolloutState, present: JsonObject | undefined): boolean {
  if (hasProgressed(state)) return false;
  if (present?.reason === 'ProgressDeadlineExceeded') return true;
  const left = untilDeadline(state.deployment, Date.parse(state.now));
  return left !== undefined && left <= 0;
}

/** Whether pods of the new template came, old ones went, or more became ready since the last look. */
function hasProgressed({ deployment, status }: RolloutState): boolean {
  const gain = (field: string): number => (numberAt(status, field) ?? 0) - (numberAt(deployment.status, field) ?? 0);
  const oldPods = gain('replicas') - gain('updatedReplicas');
  const isNewTemplate = numberAt(deployment.status, 'observedGeneration') !== deployment.metadata.generation;
  return (
    isNewTemplate ||
    gain('updatedReplicas') > 0 ||
    oldPods < 0 ||
    gain('readyReplicas') > 0 ||
    gain('availableReplicas') > 0
  );
}

function stamped(condition: Condition, present: readonly JsonObject[], state: RolloutState): JsonObject {
  const { now } = state;
  const old = present.find(({ type }) => type === condition.type);
  const isSame =
    old?.status === condition.status && old.reason === condition.reason && old.message === condition.message;
  const isRenewed = condition.reason === 'ReplicaSetUpdated' && hasProgressed(state);
  return {
    ...condition,
    lastUpdateTime: isSame && !isRenewed ? old.lastUpdateTime : now,
    lastTransitionTime: old?.status === condition.status ? old.lastTransitionTime : now,
  };
}
