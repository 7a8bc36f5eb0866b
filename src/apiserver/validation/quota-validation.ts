import { invalidValue, required, type FieldError } from '../../api/protocol/field-error.js';
import { deepEqual } from '../../base/deep-equal.js';
import {
  arrayAt,
  eachObject,
  isJsonObject,
  objectAt,
  stringAt,
  type ApiObject,
  type JsonObject,
} from '../objects/api-object.js';
import { isQuotaResource, validateAmount, validateQuotaResourceName } from './fields/resource-name-validation.js';

const COUNT = ['pods'];
const COMPUTE = ['cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory'];
/** The resources that each scope supports. */
const SCOPES = new Map<string, readonly string[]>([
  ...['Terminating', 'NotTerminating', 'NotBestEffort', 'PriorityClass', 'CrossNamespacePodAffinity'].map(
    (scope) => [scope, [...COUNT, ...COMPUTE]] as const,
  ),
  ['BestEffort', COUNT],
  ['VolumeAttributesClass', ['persistentvolumeclaims', 'requests.storage']],
]);
const CONFLICTING = [
  ['BestEffort', 'NotBestEffort'],
  ['NotTerminating', 'Terminating'],
] as const;
const EXISTING = ['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating', 'CrossNamespacePodAffinity'];
const ONLY_EXISTS =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

/** Returns the errors of a ResourceQuota, or of its update. */
export function validateQuota(object: ApiObject, old?: ApiObject, subresource = ''): FieldError[] {
  if (old && subresource === 'status') return statusErrors(objectAt(object, 'status'));
  const spec = objectAt(object, 'spec');
  const errors = [
    ...amountErrors(spec.hard, 'spec.hard'),
    ...scopeErrors(spec),
    ...(isJsonObject(spec.scopeSelector) ? selectorErrors(spec, spec.scopeSelector) : []),
  ];
  if (!old) return errors;
  const scopes = (of: unknown): unknown[] => [...new Set(arrayAt(of, 'scopes'))].sort();
  return deepEqual(scopes(spec), scopes(old.spec))
    ? errors
    : [...errors, invalidValue('spec.scopes', spec.scopes, 'field is immutable')];
}

function statusErrors(status: JsonObject): FieldError[] {
  return [...amountErrors(status.hard, 'status.hard'), ...amountErrors(status.used, 'status.used')];
}

function amountErrors(amounts: unknown, field: string): FieldError[] {
  return Object.entries(isJsonObject(amounts) ? amounts : {}).flatMap(([name, amount]) => {
    const path = `${field}[${name}]`;
    return [...validateQuotaResourceName(path, name), ...validateAmount(path, name, amount)];
  });
}

const limited = (spec: JsonObject): string[] => Object.keys(objectAt(spec, 'hard')).sort().filter(isQuotaResource);

const fits = (scope: string, resource: string): boolean => SCOPES.get(scope)?.includes(resource) ?? true;

function scopeErrors(spec: JsonObject): FieldError[] {
  const { scopes } = spec;
  const field = 'spec.scopes';
  const given = arrayAt(spec, 'scopes').map(String);
  return [
    ...given.flatMap((scope) => [
      ...(SCOPES.has(scope) ? [] : [invalidValue(field, scopes, 'unsupported scope')]),
      ...limited(spec)
        .filter((resource) => !fits(scope, resource))
        .map(() => invalidValue(field, scopes, 'unsupported scope applied to resource')),
    ]),
    ...conflicts(new Set(given), field, scopes),
  ];
}

function conflicts(given: ReadonlySet<string>, field: string, shown: unknown): FieldError[] {
  return CONFLICTING.filter((pair) => pair.every((scope) => given.has(scope))).map(() =>
    invalidValue(field, shown, 'conflicting scopes'),
  );
}

/** The server omits the index of the expression. */
function selectorErrors(spec: JsonObject, selector: JsonObject): FieldError[] {
  const field = 'spec.scopeSelector.matchExpressions';
  const shown = internalSelector(selector);
  const expressions = eachObject(selector.matchExpressions);
  const given = new Set(expressions.map((expression) => stringAt(expression, 'scopeName')));
  return [
    ...expressions.flatMap((expression) => {
      const scope = stringAt(expression, 'scopeName');
      return [
        ...(SCOPES.has(scope) ? [] : [invalidValue(`${field}.scopeName`, scope, 'unsupported scope')]),
        ...limited(spec)
          .filter((resource) => !fits(scope, resource))
          .map(() => invalidValue(field, shown, 'unsupported scope applied to resource')),
        ...operatorErrors(expression, scope, field),
      ];
    }),
    ...conflicts(given, field, spec.scopes),
  ];
}

function operatorErrors(expression: JsonObject, scope: string, field: string): FieldError[] {
  const operator = stringAt(expression, 'operator');
  const values = arrayAt(expression, 'values');
  const isOdd = EXISTING.includes(scope) && operator !== 'Exists';
  return [
    ...(isOdd ? [invalidValue(`${field}.operator`, operator, ONLY_EXISTS)] : []),
    ...valueErrors(operator, values, field),
  ];
}

function valueErrors(operator: string, values: readonly unknown[], field: string): FieldError[] {
  if (operator === 'In' || operator === 'NotIn') {
    const detail = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
    return values.length === 0 ? [required(`${field}.values`, detail)] : [];
  }
  if (operator === 'Exists' || operator === 'DoesNotExist') {
    const detail = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
    return values.length === 0 ? [] : [invalidValue(`${field}.values`, values, detail)];
  }
  return [invalidValue(`${field}.operator`, operator, 'not a valid selector operator')];
}

/** Formats a selector as Go prints the server's internal type. */
function internalSelector(selector: JsonObject): JsonObject {
  const expressions = eachObject(selector.matchExpressions).map((expression) => ({
    ScopeName: stringAt(expression, 'scopeName'),
    Operator: stringAt(expression, 'operator'),
    Values: expression.values ?? null,
  }));
  return { MatchExpressions: expressions };
}
