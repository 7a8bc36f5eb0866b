import { eachObject, numberAt, objectAt, stringAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';

/** The action of a Job for a failed pod. */
export interface FailureAction {
  readonly action: 'Count' | 'Ignore' | 'FailIndex' | 'FailJob';
  /** The matching rule and the reason; empty if no rule matches. */
  readonly message: string;
}

/** Returns the action of the first rule that matches the failed pod. */
export function failureAction(job: ApiObject, pod: ApiObject): FailureAction {
  for (const [index, rule] of eachObject(objectAt(job.spec, 'podFailurePolicy').rules).entries()) {
    const matched = matchedBy(rule, pod);
    if (matched === undefined) continue;
    const action = stringAt(rule, 'action') as FailureAction['action'];
    return { action, message: `${matched} matching ${action} rule at index ${index}` };
  }
  return { action: 'Count', message: '' };
}

function matchedBy(rule: JsonObject, pod: ApiObject): string | undefined {
  const { namespace = '', name } = pod.metadata;
  const { containerStatuses, initContainerStatuses, conditions } = objectAt(pod, 'status');
  if (rule.onExitCodes !== undefined) {
    const codes = objectAt(rule, 'onExitCodes');
    const statuses = [...eachObject(containerStatuses), ...eachObject(initContainerStatuses)];
    const found = statuses.find((status) => isOfCodes(codes, status));
    if (!found) return undefined;
    return `Container ${stringAt(found, 'name')} for pod ${namespace}/${name} failed with exit code ${exitCodeOf(found) ?? 0}`;
  }
  const patterns = eachObject(rule.onPodConditions);
  const condition = eachObject(conditions).find((each) =>
    patterns.some(({ type, status }) => type === each.type && status === each.status),
  );
  return condition && `Pod ${namespace}/${name} has condition ${stringAt(condition, 'type')}`;
}

function isOfCodes(codes: JsonObject, status: JsonObject): boolean {
  const code = exitCodeOf(status);
  if (code === undefined || code === 0) return false;
  if (codes.containerName !== undefined && codes.containerName !== status.name) return false;
  return (codes.values as number[]).includes(code) === (codes.operator === 'In');
}

function exitCodeOf(status: JsonObject): number | undefined {
  return numberAt(objectAt(objectAt(status, 'state'), 'terminated'), 'exitCode');
}
