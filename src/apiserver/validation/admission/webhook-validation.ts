import { duplicate, invalidValue, required, type FieldError } from '../../../api/protocol/field-error.js';
import {
  type ApiObject,
  type JsonObject,
  arrayAt,
  eachObject,
  isJsonObject,
  numberAt,
  objectAt,
  stringAt,
} from '../../objects/api-object.js';
import { checkDnsSubdomain, validateOneOf } from '../fields/field-checks.js';
import { validateLabelSelector } from '../fields/label-selector-validation.js';
import { serviceProblems, urlProblems } from '../../../crd/definition/webhook-problems.js';
import { dns1035LabelErrors } from '../../../api/objects/names.js';
import { validateMatchConditions } from './match-condition-validation.js';
import { validateRule } from './rule-validation.js';
import { WEBHOOK_CONDITIONS } from '../../expressions/match-conditions.js';
import { deepEqual } from '../../../base/deep-equal.js';

const SIDE_EFFECTS = ['None', 'NoneOnDryRun'];
const REVIEWS = ['v1', 'v1beta1'];

/** Returns the errors of the webhooks of a Validating- or MutatingWebhookConfiguration. */
export function validateWebhooks(object: ApiObject, old?: ApiObject): FieldError[] {
  // Previously accepted conditions remain accepted while they are unchanged.
  const checksConditions = !old || !deepEqual(conditionsOf(object), conditionsOf(old));
  const names = new Set<string>();
  return eachObject(object.webhooks).flatMap((hook, index) => {
    const [field, name] = [`webhooks[${index}]`, stringAt(hook, 'name')];
    const isTaken = name !== '' && names.has(name);
    names.add(name);
    return [
      ...hookErrors(hook, field),
      ...(checksConditions
        ? validateMatchConditions(hook.matchConditions, WEBHOOK_CONDITIONS, `${field}.matchConditions`)
        : []),
      ...reviewVersionErrors(arrayAt(hook, 'admissionReviewVersions').map(String), `${field}.admissionReviewVersions`),
      ...(isTaken ? [duplicate(`${field}.name`, name)] : []),
    ];
  });
}

function conditionsOf(object: ApiObject): unknown[] {
  return eachObject(object.webhooks).map(({ matchConditions }) => matchConditions);
}

function hookErrors(hook: JsonObject, field: string): FieldError[] {
  const seconds = numberAt(hook, 'timeoutSeconds') ?? 10;
  const { sideEffects, reinvocationPolicy } = hook;
  const badTime = invalidValue(
    `${field}.timeoutSeconds`,
    seconds,
    'the timeout value must be between 1 and 30 seconds',
  );
  return [
    ...nameErrors(stringAt(hook, 'name'), `${field}.name`),
    ...eachObject(hook.rules).flatMap((rule, index) => validateRule(rule, `${field}.rules[${index}]`)),
    ...validateOneOf(`${field}.failurePolicy`, hook.failurePolicy, ['Fail', 'Ignore']),
    ...validateOneOf(`${field}.matchPolicy`, hook.matchPolicy, ['Equivalent', 'Exact']),
    ...(sideEffects === undefined || sideEffects === null
      ? [required(`${field}.sideEffects`, `must specify one of ${SIDE_EFFECTS.join(', ')}`)]
      : validateOneOf(`${field}.sideEffects`, sideEffects, SIDE_EFFECTS)),
    ...(seconds < 1 || seconds > 30 ? [badTime] : []),
    ...['namespaceSelector', 'objectSelector'].flatMap((name) => validateLabelSelector(hook[name], `${field}.${name}`)),
    ...(reinvocationPolicy === undefined
      ? []
      : validateOneOf(`${field}.reinvocationPolicy`, reinvocationPolicy, ['IfNeeded', 'Never'])),
    ...clientErrors(objectAt(hook, 'clientConfig'), `${field}.clientConfig`),
  ];
}

function nameErrors(name: string, field: string): FieldError[] {
  if (name === '') return [required(field)];
  const errors = checkDnsSubdomain(field, name);
  if (errors.length > 0 || name.split('.').length >= 3) return errors;
  return [invalidValue(field, name, 'should be a domain with at least three segments separated by dots')];
}

function clientErrors(client: JsonObject, field: string): FieldError[] {
  const hasUrl = client.url !== undefined;
  if (hasUrl === isJsonObject(client.service)) return [required(field, 'exactly one of url or service is required')];
  if (hasUrl) return urlProblems(`${field}.url`, stringAt(client, 'url'));
  return serviceProblems(`${field}.service`, objectAt(client, 'service'));
}

function reviewVersionErrors(versions: readonly string[], field: string): FieldError[] {
  if (versions.length === 0) return [required(field, `must specify one of ${REVIEWS.join(', ')}`)];
  const errors = versions.flatMap((version, index) =>
    versions.indexOf(version) < index
      ? [invalidValue(`${field}[${index}]`, version, 'duplicate version')]
      : dns1035LabelErrors(version).map((message) => invalidValue(`${field}[${index}]`, version, message)),
  );
  if (versions.some((version) => REVIEWS.includes(version))) return errors;
  return [...errors, invalidValue(field, versions, `must include at least one of ${REVIEWS.join(', ')}`)];
}
