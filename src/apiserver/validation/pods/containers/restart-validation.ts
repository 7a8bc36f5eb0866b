import {
  duplicate,
  invalidValue,
  notSupported,
  required,
  tooMany,
  type FieldError,
} from '../../../../api/protocol/field-error.js';
import { arrayAt, eachObject, isJsonObject, stringAt, type JsonObject } from '../../../objects/api-object.js';
import { validateOneOf } from '../../fields/field-checks.js';

const POLICIES = ['Always', 'Never', 'OnFailure'];
const ACTIONS = ['Restart', 'RestartAllContainers'];
const OPERATORS = ['In', 'NotIn'];
const [MAX_RULES, MAX_CODES] = [20, 255];

/** Returns the errors of a container's restart policy: core's validateContainerRestartPolicy. */
export function validateRestartPolicy(container: JsonObject, field: string): FieldError[] {
  const { restartPolicy: policy } = container;
  const rules = eachObject(container.restartPolicyRules);
  const path = `${field}.restartPolicyRules`;
  const isAlone = policy === undefined && rules.length > 0;
  return [
    ...(isAlone ? [required(`${field}.restartPolicy`, 'must specify restartPolicy when restart rules are used')] : []),
    ...(policy === undefined || POLICIES.includes(policy as string)
      ? []
      : [notSupported(`${field}.restartPolicy`, policy, POLICIES)]),
    ...(rules.length > MAX_RULES ? [tooMany(path, rules.length, MAX_RULES)] : []),
    ...rules.flatMap((rule, index) => ruleErrors(rule, `${path}[${index}]`)),
  ];
}

function ruleErrors(rule: JsonObject, field: string): FieldError[] {
  const [action, { exitCodes }] = [stringAt(rule, 'action'), rule];
  const errors = ACTIONS.includes(action) ? [] : [notSupported(`${field}.action`, action, ACTIONS)];
  if (!isJsonObject(exitCodes)) return [...errors, required(`${field}.exitCodes`, 'must be specified')];
  const [operator, count] = [stringAt(exitCodes, 'operator'), arrayAt(exitCodes, 'values').length];
  return [
    ...errors,
    ...(OPERATORS.includes(operator) ? [] : [notSupported(`${field}.exitCodes.operator`, operator, OPERATORS)]),
    ...(count > MAX_CODES ? [tooMany(`${field}.exitCodes.values`, count, MAX_CODES)] : []),
  ];
}

/** Returns the errors of a container's resize policy: core's validateResizePolicy. */
export function validateResizePolicy(policies: unknown, field: string, podPolicy: unknown): FieldError[] {
  const seen = new Set<unknown>();
  return eachObject(policies).flatMap((policy, index) => {
    const { resourceName: name, restartPolicy } = policy;
    const isRepeated = seen.has(name);
    seen.add(name);
    const detail = "must be 'NotRequired' when pod `restartPolicy` is 'Never'";
    return [
      ...(isRepeated ? [duplicate(`${field}[${index}]`, name)] : []),
      ...validateOneOf(field, name, ['cpu', 'memory']),
      ...validateOneOf(field, restartPolicy, ['NotRequired', 'RestartContainer']),
      ...(podPolicy === 'Never' && restartPolicy !== 'NotRequired'
        ? [invalidValue(field, stringAt(policy, 'restartPolicy'), detail)]
        : []),
    ];
  });
}

/** An init container that has ended before a resize cannot be restarted for it. */
export function validateInitResize(container: JsonObject, field: string): FieldError[] {
  if (container.restartPolicy === 'Always') return [];
  const detail = "must not be set to 'RestartContainer' for non-sidecar initContainers";
  return eachObject(container.resizePolicy).flatMap(({ restartPolicy }, index) =>
    restartPolicy === 'RestartContainer'
      ? [invalidValue(`${field}.resizePolicy[${index}].restartPolicy`, restartPolicy, detail)]
      : [],
  );
}
