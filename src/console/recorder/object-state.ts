import type { ConditionLike } from '../../api/objects/condition.js';
import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import { isJsonObject, valueAt } from '../../base/json-object.js';
import type { StateLevel } from '../wire.js';

export interface ObjectState {
  readonly level: StateLevel;
  readonly state: string;
  readonly detail?: string;
}

/** A condition as it is stored, perhaps by a class that leaves members out. */
type Condition = Pick<ConditionLike, 'type' | 'status'> & Partial<ConditionLike>;

/** Conditions that summarize an object, the most important first. */
const SUMMARIES = ['Ready', 'Reconciled', 'Available', 'Complete', 'Established', 'Progressing'];
/** Conditions that are bad when they are true. */
const PROBLEMS: ReadonlySet<string> = new Set(['Degraded', 'Failed', 'Stalled', 'ReplicaFailure']);
const LONGEST_DETAIL = 200;

/** Returns the state of an object in one or two words. */
export function objectState(object: ReadonlyDeep<KubeObject>): ObjectState {
  if (object.metadata.deletionTimestamp !== undefined) return { level: 'progress', state: 'Terminating' };
  const phase = podState(object);
  if (phase) return phase;
  const conditions = shownConditions(object);
  const problem = conditions.find(({ type, status }) => PROBLEMS.has(type) && status === 'True');
  if (problem) return { level: 'error', state: problem.type, ...detailOf(problem) };
  const { generation } = object.metadata;
  const observed = valueAt(object, ['status', 'observedGeneration']);
  if (typeof observed === 'number' && generation !== undefined && observed < generation)
    return { level: 'progress', state: 'Updating', detail: `generation ${generation}, observed ${observed}` };
  const summary = SUMMARIES.map((name) => conditions.find(({ type }) => type === name)).find((found) => found);
  if (!summary) return { level: 'none', state: '' };
  const { type, status } = summary;
  const level = conditionLevel(summary);
  return { level, state: status === 'True' ? type : `Not ${type}`, ...(detailOf(summary) ?? replicas(object)) };
}

/** The level of one condition. */
export function conditionLevel({ type, status, reason = '' }: Condition): StateLevel {
  if (PROBLEMS.has(type)) return status === 'True' ? 'error' : 'ok';
  if (status === 'True') return 'ok';
  return status === 'Unknown' || /progress|creat|pending|wait|updat|scal|minimum|start/i.test(reason)
    ? 'progress'
    : 'error';
}

/** The conditions in the status. */
export function shownConditions(object: ReadonlyDeep<KubeObject>): Condition[] {
  const list = valueAt(object, ['status', 'conditions']);
  if (!Array.isArray(list)) return [];
  return list.filter((item): item is Condition => isJsonObject(item) && typeof item['type'] === 'string');
}

function podState(object: ReadonlyDeep<KubeObject>): ObjectState | undefined {
  const phase = valueAt(object, ['status', 'phase']);
  const containers = valueAt(object, ['status', 'containerStatuses']);
  if (typeof phase !== 'string') return undefined;
  const waiting = Array.isArray(containers)
    ? containers
        .map((container) => valueAt(container, ['state', 'waiting', 'reason']))
        .find((reason) => reason !== undefined)
    : undefined;
  if (typeof waiting === 'string') return { level: /BackOff|Err/.test(waiting) ? 'error' : 'progress', state: waiting };
  const level = PHASES.get(phase);
  if (level === undefined) return undefined;
  const ready = shownConditions(object).find(({ type }) => type === 'Ready');
  if (phase === 'Running' && ready?.status === 'False')
    return { level: 'progress', state: 'Running', detail: 'not ready' };
  return { level, state: phase };
}

const PHASES: ReadonlyMap<string, StateLevel> = new Map([
  ['Pending', 'progress'],
  ['Running', 'ok'],
  ['Succeeded', 'ok'],
  ['Failed', 'error'],
  ['Active', 'ok'],
  ['Bound', 'ok'],
  ['Available', 'ok'],
]);

function replicas(object: ReadonlyDeep<KubeObject>): { detail?: string } {
  const [ready = 0, wanted] = [valueAt(object, ['status', 'readyReplicas']), valueAt(object, ['spec', 'replicas'])];
  return typeof wanted === 'number' && typeof ready === 'number' ? { detail: `${ready}/${wanted}` } : {};
}

function detailOf({ status, reason, message }: Condition): { detail: string } | undefined {
  const text =
    status === 'True' ? '' : [reason, message].filter((part) => part !== undefined && part !== '').join(': ');
  return text === '' ? undefined : { detail: text.slice(0, LONGEST_DETAIL) };
}
