import { type ApiObject, type JsonObject, eachObject, numberAt, objectAt, stringAt } from '../objects/api-object.js';
import { humanAge } from './human-duration.js';

/** The cells of a pod. */
export interface PodCells {
  readonly ready: string;
  readonly status: string;
  readonly restarts: string;
  readonly ip: string;
  readonly node: string;
  readonly nominatedNode: string;
}

export function podCells(pod: ApiObject, nowMs: number): PodCells {
  const [spec, status] = [objectAt(pod, 'spec'), objectAt(pod, 'status')];
  const statuses = eachObject(status.containerStatuses);
  const ready = statuses.filter(
    ({ ready: isReady, state }) => isReady === true && objectAt({ state }, 'state').running !== undefined,
  ).length;
  const sidecars = eachObject(spec.initContainers).filter(({ restartPolicy }) => restartPolicy === 'Always');
  return {
    ready: `${ready}/${eachObject(spec.containers).length + sidecars.length}`,
    status: podStatus(pod, status, statuses),
    restarts: restartText(statuses, nowMs),
    ip: stringAt(status, 'podIP') || '<none>',
    node: stringAt(spec, 'nodeName') || '<none>',
    nominatedNode: stringAt(status, 'nominatedNodeName') || '<none>',
  };
}

function podStatus(pod: ApiObject, status: JsonObject, statuses: readonly JsonObject[]): string {
  let text = stringAt(status, 'reason') || stringAt(status, 'phase');
  const gated = eachObject(status.conditions).find(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  );
  if (gated) text = 'SchedulingGated';
  for (const container of statuses.toReversed()) text = containerReason(container) ?? text;
  if (pod.metadata.deletionTimestamp === undefined) return text;
  return stringAt(status, 'phase') === 'Succeeded' || stringAt(status, 'phase') === 'Failed' ? text : 'Terminating';
}

function containerReason({ state }: JsonObject): string | undefined {
  const [waiting, terminated] = [objectAt(state, 'waiting'), objectAt(state, 'terminated')];
  const reason = stringAt(waiting, 'reason') || stringAt(terminated, 'reason');
  if (reason !== '') return reason;
  const code = numberAt(terminated, 'exitCode');
  return code === undefined ? undefined : `ExitCode:${code}`;
}

function restartText(statuses: readonly JsonObject[], nowMs: number): string {
  const restarts = statuses.reduce((sum, container) => sum + (numberAt(container, 'restartCount') ?? 0), 0);
  const last =
    statuses
      .map(({ lastState }) => stringAt(objectAt(lastState, 'terminated'), 'finishedAt'))
      .sort()
      .at(-1) ?? '';
  return restarts === 0 || last === '' ? String(restarts) : `${restarts} (${humanAge(last, nowMs)} ago)`;
}
