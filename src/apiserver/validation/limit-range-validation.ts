import { duplicate, forbiddenField, invalidValue, required, type FieldError } from '../../api/protocol/field-error.js';
import { formatQuantity, parseQuantity, type Quantity } from '../../api/schema/quantity.js';
import { eachObject, objectAt, stringAt, textOf, type ApiObject, type JsonObject } from '../objects/api-object.js';
import { checkQualifiedName } from './fields/field-checks.js';
import {
  isOvercommitAllowed,
  validateContainerResourceName,
  validateResourceName,
} from './fields/resource-name-validation.js';

const STANDARD_TYPES = ['Pod', 'Container', 'PersistentVolumeClaim'];
const AMOUNTS = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;
/** The fields that a limit on pods must not have. */
const OF_CONTAINERS: readonly string[] = ['default', 'defaultRequest'];
/** Larger amounts are not compared in thousandths. */
const MAX_MILLI = 9_223_372_036_854_775n;
const NANO = 1_000_000_000n;

/** Returns the errors of a LimitRange. */
export function validateLimitRange({ spec }: ApiObject): FieldError[] {
  const types = new Set<string>();
  return eachObject(objectAt({ spec }, 'spec').limits).flatMap((limit, index) => {
    const [field, type] = [`spec.limits[${index}]`, stringAt(limit, 'type')];
    const isRepeated = types.has(type);
    types.add(type);
    return [
      ...typeErrors(type, `${field}.type`),
      ...(isRepeated ? [duplicate(`${field}.type`, type)] : []),
      ...limitErrors(limit, type, field),
    ];
  });
}

function typeErrors(type: string, field: string): FieldError[] {
  const malformed = checkQualifiedName(field, type);
  if (malformed.length > 0 || type.includes('/') || STANDARD_TYPES.includes(type)) return malformed;
  return [invalidValue(field, type, 'must be a standard limit type or fully qualified')];
}

function limitErrors(limit: JsonObject, type: string, field: string): FieldError[] {
  const isOfPods = type === 'Pod';
  const check = isOfPods || type === 'Container' ? validateContainerResourceName : validateResourceName;
  const names = new Set<string>();
  const errors = AMOUNTS.flatMap((amount) => {
    const given = Object.keys(objectAt(limit, amount));
    const path = `${field}.${amount}`;
    const isLast = amount === 'maxLimitRequestRatio';
    const missing = isLast && type === 'PersistentVolumeClaim' ? storageErrors(limit, field) : [];
    if (isOfPods && OF_CONTAINERS.includes(amount))
      return given.length === 0 ? [] : [forbiddenField(path, "may not be specified when `type` is 'Pod'")];
    for (const name of given) names.add(name);
    return [...missing, ...given.flatMap((name) => check(`${path}[${name}]`, name))];
  });
  return [...errors, ...[...names].flatMap((name) => amountErrors(limit, isOfPods, name, field))];
}

function storageErrors(limit: JsonObject, field: string): FieldError[] {
  if ([limit.min, limit.max].some((amounts) => objectAt({ amounts }, 'amounts').storage !== undefined)) return [];
  const detail = 'either minimum or maximum storage value is required, but neither was provided';
  return [required(`${field}.limits`, detail)];
}

/** Returns the errors of the limits of one resource. */
function amountErrors(limit: JsonObject, isOfPods: boolean, name: string, field: string): FieldError[] {
  const read = (amount: string): Quantity | undefined =>
    isOfPods && OF_CONTAINERS.includes(amount) ? undefined : parseQuantity(textOf(objectAt(limit, amount)[name] ?? ''));
  const [max, min, preset, request, ratio] = AMOUNTS.map(read);
  const at = (amount: string): string => `${field}.${amount}[${name}]`;
  const differs = !isOvercommitAllowed(name) && preset && request && preset.nano !== request.nano;
  return [
    ...above(min, max, at('min'), min, (low, high) => `min value ${low} is greater than max value ${high}`),
    ...above(
      min,
      request,
      at('defaultRequest'),
      request,
      (a, b) => `min value ${a} is greater than default request value ${b}`,
    ),
    ...above(
      request,
      max,
      at('defaultRequest'),
      request,
      (a, b) => `default request value ${a} is greater than max value ${b}`,
    ),
    ...above(
      request,
      preset,
      at('defaultRequest'),
      request,
      (a, b) => `default request value ${a} is greater than default limit value ${b}`,
    ),
    ...above(min, preset, at('default'), min, (a, b) => `min value ${a} is greater than default value ${b}`),
    ...above(preset, max, at('default'), max, (a, b) => `default value ${a} is greater than max value ${b}`),
    ...ratioErrors(ratio, min, max, at('maxLimitRequestRatio')),
    ...(differs
      ? [
          invalidValue(
            at('defaultRequest'),
            formatQuantity(request),
            `default value ${formatQuantity(preset)} must equal to defaultRequest value ${formatQuantity(request)} in ${name}`,
          ),
        ]
      : []),
  ];
}

function above(
  low: Quantity | undefined,
  high: Quantity | undefined,
  field: string,
  shown: Quantity | undefined,
  say: (low: string, high: string) => string,
): FieldError[] {
  if (!low || !high || !shown || low.nano <= high.nano) return [];
  return [invalidValue(field, formatQuantity(shown), say(formatQuantity(low), formatQuantity(high)))];
}

function ratioErrors(
  ratio: Quantity | undefined,
  min: Quantity | undefined,
  max: Quantity | undefined,
  field: string,
): FieldError[] {
  if (!ratio) return [];
  const text = formatQuantity(ratio);
  const errors = ratio.nano < NANO ? [invalidValue(field, text, `ratio ${text} is less than 1`)] : [];
  if (!min || !max) return errors;
  const isSmall = [ratio, min, max].every(({ nano }) => roundUp(nano, NANO) < MAX_MILLI);
  const unit = isSmall ? NANO / 1000n : NANO;
  const most = Number(roundUp(max.nano, unit)) / Number(roundUp(min.nano, unit));
  const wanted = Number(roundUp(ratio.nano, unit)) / (isSmall ? 1000 : 1);
  return wanted > most
    ? [...errors, invalidValue(field, text, `ratio ${text} is greater than max/min = ${decimal(most)}`)]
    : errors;
}

/** Formats a number as Go prints it. */
function decimal(value: number): string {
  if (Number.isFinite(value)) return value.toFixed(6);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

function roundUp(nano: bigint, unit: bigint): bigint {
  const isExact = nano % unit === 0n;
  return nano / unit + (isExact || nano < 0n ? 0n : 1n);
}
