import {
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  type FieldError,
} from '../../api/protocol/field-error.js';
import { defaultFlowControl } from '../data/default-flow-control.js';
import {
  isJsonObject,
  numberAt,
  objectAt,
  stringAt,
  without,
  type ApiObject,
  type JsonObject,
} from '../objects/api-object.js';
import { internalForm } from './fields/internal-form.js';
import { semanticEqual } from './fields/semantic-equal.js';
import { conditionErrors } from './flow-schema-validation.js';

const SPEC = 'flowcontrol.PriorityLevelConfigurationSpec';
const EXEMPT = 'exempt';
const MANDATORY = ['catch-all', EXEMPT];
const TYPES = ['Exempt', 'Limited'];
const RESPONSES = ['Queue', 'Reject'];
const MAX_QUEUES = 10_000_000;
const MAX_HASH_BITS = 60;
/** The annotation of versions in which zero shares could not be expressed. */
const KEEPS_ZERO = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';

/** Returns the errors of a PriorityLevelConfiguration. */
export function validatePriorityLevel(object: ApiObject): FieldError[] {
  const { metadata } = object;
  const spec = objectAt(object, 'spec');
  const isSaid = metadata.annotations?.[KEEPS_ZERO] !== undefined;
  return [
    ...(isSaid ? [forbiddenField('metadata.annotations', `annotation '${KEEPS_ZERO}' is forbidden`)] : []),
    ...((metadata.name === EXEMPT) === (spec.type === 'Exempt')
      ? []
      : [invalidValue('spec.type', stringAt(spec, 'type'), "must be 'Exempt' if and only if `name` is 'exempt'")]),
    ...specErrors(spec),
    ...fixedErrors(object),
    ...conditionErrors(object),
  ];
}

function specErrors(spec: JsonObject): FieldError[] {
  const { type, limited, exempt } = spec;
  if (type === 'Exempt')
    return [
      ...(isJsonObject(limited) ? [forbiddenField('spec.limited', 'must be nil if the type is not Limited')] : []),
      ...(isJsonObject(exempt) ? sharesErrors(exempt, 'spec.exempt') : []),
    ];
  if (type === 'Limited')
    return [
      ...(isJsonObject(exempt) ? [forbiddenField('spec.exempt', 'must be nil if the type is Limited')] : []),
      ...(isJsonObject(limited)
        ? limitedErrors(limited)
        : [required('spec.limited', 'must not be empty when type is Limited')]),
    ];
  return validateType('spec.type', type, TYPES);
}

function validateType(field: string, type: unknown, types: readonly string[]): FieldError[] {
  return type === undefined || type === '' ? [required(field)] : [notSupported(field, type, types)];
}

function limitedErrors(limited: JsonObject): FieldError[] {
  const [field, borrowed] = ['spec.limited', numberAt(limited, 'borrowingLimitPercent') ?? 0];
  const [shares, lent] = [shareErrors(limited, field), lentErrors(limited, field)];
  const detail = 'if specified, must be a non-negative integer';
  return [
    ...shares,
    ...responseErrors(objectAt(limited, 'limitResponse'), `${field}.limitResponse`),
    ...lent,
    ...(borrowed < 0 ? [invalidValue(`${field}.borrowingLimitPercent`, borrowed, detail)] : []),
  ];
}

function sharesErrors(of: JsonObject, field: string): FieldError[] {
  return [...shareErrors(of, field), ...lentErrors(of, field)];
}

function shareErrors(of: JsonObject, field: string): FieldError[] {
  const shares = numberAt(of, 'nominalConcurrencyShares') ?? 0;
  return shares < 0
    ? [invalidValue(`${field}.nominalConcurrencyShares`, shares, 'must be a non-negative integer')]
    : [];
}

function lentErrors(of: JsonObject, field: string): FieldError[] {
  const lent = numberAt(of, 'lendablePercent') ?? 0;
  const isOut = lent < 0 || lent > 100;
  return isOut ? [invalidValue(`${field}.lendablePercent`, lent, 'must be between 0 and 100, inclusive')] : [];
}

function responseErrors(response: JsonObject, field: string): FieldError[] {
  const { type, queuing } = response;
  const kept = 'if limited.limitResponse.type is not Limited';
  if (type === 'Reject')
    return isJsonObject(queuing) ? [forbiddenField(`${field}.queuing`, `must be nil ${kept}`)] : [];
  if (type !== 'Queue') return validateType(`${field}.type`, type, RESPONSES);
  return isJsonObject(queuing)
    ? queuingErrors(queuing, `${field}.queuing`)
    : [required(`${field}.queuing`, 'must not be empty if limited.limitResponse.type is Limited')];
}

function queuingErrors(queuing: JsonObject, field: string): FieldError[] {
  const [limit = 0, queues = 0, hand = 0] = ['queueLengthLimit', 'queues', 'handSize'].map((name) =>
    numberAt(queuing, name),
  );
  const positive = 'must be positive';
  const invalid = (name: string, value: number, detail: string | undefined): FieldError[] =>
    detail === undefined ? [] : [invalidValue(`${field}.${name}`, value, detail)];
  const many = queues > MAX_QUEUES ? `must not be greater than ${MAX_QUEUES}` : undefined;
  return [
    ...invalid('queueLengthLimit', limit, limit <= 0 ? positive : undefined),
    ...invalid('queues', queues, queues <= 0 ? positive : many),
    ...invalid('handSize', hand, hand <= 0 ? positive : handProblem(queues, hand)),
  ];
}

/** Shuffle sharding uses the bits of a single hash. */
function handProblem(queues: number, hand: number): string | undefined {
  if (hand > queues) return `should not be greater than queues (${queues})`;
  const bits = Math.ceil(Math.log2(queues) * hand);
  if (bits <= MAX_HASH_BITS) return undefined;
  return `required entropy bits of deckSize ${queues} and handSize ${hand} should not be greater than ${MAX_HASH_BITS}`;
}

/** Returns errors for changes of the levels that are the same in every cluster, except for the exempt limits. */
function fixedErrors({ metadata: { name }, spec }: ApiObject): FieldError[] {
  if (!MANDATORY.includes(name)) return [];
  const all = [...defaultFlowControl()];
  const fixed = all.find((one) => one.kind === 'PriorityLevelConfiguration' && one.name === name)?.spec ?? {};
  const compared = (of: JsonObject): JsonObject => (name === EXEMPT ? without(of, 'exempt') : of);
  if (semanticEqual(compared(objectAt({ spec }, 'spec')), compared(fixed))) return [];
  const kept = name === EXEMPT ? " except the 'spec.exempt' field" : '';
  return [invalidValue('spec', internalForm(SPEC, spec), `spec of '${name}'${kept} must equal the fixed value`)];
}
