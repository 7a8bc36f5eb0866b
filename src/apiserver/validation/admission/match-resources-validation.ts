import { duplicate, invalidValue, notSupported, required, type FieldError } from '../../../api/protocol/field-error.js';
import { pathSegmentErrors } from '../../../api/objects/names.js';
import { arrayAt, eachObject, isJsonObject, type JsonObject } from '../../objects/api-object.js';
import { validateOneOf } from '../fields/field-checks.js';
import { validateLabelSelector } from '../fields/label-selector-validation.js';
import { validateRule } from './rule-validation.js';

const MUTABLE = ['*', 'CONNECT', 'CREATE', 'UPDATE'];

/** Returns the errors of the matching rules of a policy or binding; empty when they are not set. */
export function validateMatchResources(given: unknown, field: string): FieldError[] {
  if (!isJsonObject(given)) return [];
  return [
    ...validateOneOf(`${field}.matchPolicy`, given.matchPolicy, ['Equivalent', 'Exact']),
    ...['namespaceSelector', 'objectSelector'].flatMap((name) =>
      isJsonObject(given[name])
        ? validateLabelSelector(given[name], `${field}.${name}`)
        : [required(`${field}.${name}`)],
    ),
    ...['resourceRules', 'excludeResourceRules'].flatMap((name) =>
      eachObject(given[name]).flatMap((rule, index) => namedRuleErrors(rule, `${field}.${name}[${index}]`)),
    ),
  ];
}

/** Only creations and updates can be mutated. */
export function validateMutableOperations(given: unknown, field: string): FieldError[] {
  const rules = eachObject(isJsonObject(given) ? given.resourceRules : undefined);
  return rules
    .flatMap((rule) => arrayAt(rule, 'operations'))
    .filter((operation) => !MUTABLE.includes(operation as string))
    .map((operation) => notSupported(`${field}.resourceRules.operations`, operation, MUTABLE));
}

function namedRuleErrors(rule: JsonObject, field: string): FieldError[] {
  const names = arrayAt(rule, 'resourceNames').map(String);
  return [
    ...names.flatMap((name, index) => {
      const at = `${field}.resourceNames[${index}]`;
      const errors = pathSegmentErrors(name).map((message) => invalidValue(at, name, message));
      return names.indexOf(name) < index ? [...errors, duplicate(at, name)] : errors;
    }),
    ...validateRule(rule, field),
  ];
}
