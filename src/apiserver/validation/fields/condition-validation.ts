import {
  duplicate,
  invalidValue,
  notSupported,
  required,
  tooLong,
  type FieldError,
} from '../../../api/protocol/field-error.js';
import { eachObject, numberAt, stringAt, type JsonObject } from '../../objects/api-object.js';
import { checkQualifiedName } from './field-checks.js';

const STATUSES = ['False', 'True', 'Unknown'];
const MAX_REASON = 1024;
const MAX_MESSAGE = 32 * 1024;
const REASON = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const NO_REASON = `a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '${REASON}')`;

/** Returns the errors of status conditions: apimachinery's validation of metav1.Condition. */
export function validateConditions(conditions: unknown, field: string): FieldError[] {
  const all = eachObject(conditions);
  const types = all.map((condition) => stringAt(condition, 'type'));
  return all.flatMap((condition, index) => {
    const [at, type = ''] = [`${field}[${index}]`, types[index]];
    return [
      ...(types.indexOf(type) < index ? [duplicate(`${at}.type`, type)] : []),
      ...checkQualifiedName(`${at}.type`, type),
      ...conditionErrors(condition, at),
    ];
  });
}

function conditionErrors(condition: JsonObject, field: string): FieldError[] {
  const [status, reason, message] = ['status', 'reason', 'message'].map((name) => stringAt(condition, name)) as [
    string,
    string,
    string,
  ];
  const generation = numberAt(condition, 'observedGeneration') ?? 0;
  const isRegular = new RegExp(`^${REASON}$`).test(reason);
  return [
    ...(STATUSES.includes(status) ? [] : [notSupported(`${field}.status`, status, STATUSES)]),
    ...(generation < 0
      ? [invalidValue(`${field}.observedGeneration`, generation, 'must be greater than or equal to zero')]
      : []),
    ...(stringAt(condition, 'lastTransitionTime') === '' ? [required(`${field}.lastTransitionTime`)] : []),
    ...(reason === '' ? [required(`${field}.reason`)] : []),
    ...(reason === '' || isRegular ? [] : [invalidValue(`${field}.reason`, reason, NO_REASON)]),
    ...(Buffer.byteLength(reason) > MAX_REASON ? [tooLong(`${field}.reason`, MAX_REASON)] : []),
    ...(Buffer.byteLength(message) > MAX_MESSAGE ? [tooLong(`${field}.message`, MAX_MESSAGE)] : []),
  ];
}
