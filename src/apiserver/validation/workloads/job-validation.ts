import { matchesSelector } from '../../../api/selection/label-selector.js';
import { invalidValue, notSupported, required, type FieldError } from '../../../api/protocol/field-error.js';
import {
  type ApiObject,
  type JsonObject,
  eachObject,
  isJsonObject,
  numberAt,
  objectAt,
  stringAt,
} from '../../objects/api-object.js';
import { cronProblem } from '../../../base/cron/cron-fields.js';
import { validateImmutable, validateNonNegative, validateOneOf } from '../fields/field-checks.js';
import { internalForm } from '../fields/internal-form.js';
import { encodeSelector, isReadableSelector, validateLabelSelector } from '../fields/label-selector-validation.js';
import { dnsLabelErrors } from '../../../api/objects/names.js';
import { inOrder } from '../fields/object-meta.js';
import { validatePodTemplate } from '../pods/pod-spec-validation.js';
import { semanticEqual } from '../fields/semantic-equal.js';

const NUMBERS = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
];
const MAX_INDEXED_PARALLELISM = 100000;
const MAX_CRON_JOB_NAME = 52;
const COUNTS = ['active', 'succeeded', 'failed', 'ready', 'terminating'];

/** Returns the errors of a Job. */
export function validateJob(object: ApiObject): FieldError[] {
  const spec = objectAt(object, 'spec');
  return [
    ...generatedSelectorErrors(object, spec),
    ...specErrors(spec, 'spec'),
    ...selectorErrors(spec),
    ...hostnameErrors(object, spec),
  ];
}

const FROZEN = ['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy'];

/** Returns the errors of an update of a Job: its pod template is immutable once it has started. */
export function validateJobChange(next: ApiObject, old: ApiObject, subresource: string): FieldError[] {
  if (subresource === 'status') return statusErrors(next, old);
  const [spec, former] = [objectAt(next, 'spec'), objectAt(old, 'spec')];
  return [
    ...specErrors(spec, 'spec'),
    ...selectorErrors(spec),
    ...completionErrors(spec, former),
    ...validateImmutable('spec.selector', encodeSelector(spec.selector), former.selector),
    ...templateChangeErrors(spec, former, objectAt(old, 'status')),
    ...FROZEN.flatMap((field) => validateImmutable(`spec.${field}`, spec[field], former[field])),
  ];
}

/** The scheduling constraints and resources of a suspended Job without pods can change. */
function templateChangeErrors(spec: JsonObject, former: JsonObject, status: JsonObject): FieldError[] {
  const [template, old] = [objectAt(spec, 'template'), objectAt(former, 'template')];
  const isSuspended = eachObject(status.conditions).some((one) => one.type === 'Suspended' && one.status === 'True');
  const isIdle = (status.startTime === undefined || isSuspended) && (numberAt(status, 'active') ?? 0) === 0;
  if (former.suspend !== true || !isIdle) return frozenErrors('spec.template', 'core.PodTemplateSpec', template, old);
  const placed = withPlacement(objectAt(old, 'spec'), objectAt(template, 'spec'));
  return frozenErrors('spec.template.spec', 'core.PodSpec', objectAt(template, 'spec'), placed);
}

function frozenErrors(field: string, type: string, next: JsonObject, old: JsonObject): FieldError[] {
  const form = internalForm(type, next);
  return semanticEqual(form, internalForm(type, old)) ? [] : [invalidValue(field, form, 'field is immutable')];
}

const PLACEMENT = ['nodeSelector', 'tolerations', 'schedulingGates'];

/** Returns a spec with the scheduling constraints and resources of another. */
function withPlacement(spec: JsonObject, other: JsonObject): JsonObject {
  const placed = Object.fromEntries(PLACEMENT.map((name) => [name, other[name]]));
  const { nodeAffinity } = objectAt(other, 'affinity');
  const affinity = { ...objectAt(spec, 'affinity'), nodeAffinity };
  const lists = ['containers', 'initContainers'].map((name) => [name, withResources(spec[name], other[name])] as const);
  return { ...spec, ...placed, affinity, ...Object.fromEntries(lists) };
}

function withResources(containers: unknown, others: unknown): JsonObject[] {
  const [list, given] = [eachObject(containers), eachObject(others)];
  if (list.length !== given.length) return list;
  return list.map((container, index) => {
    const other = given[index];
    return other?.name === container.name ? { ...container, resources: other?.resources } : container;
  });
}

function completionErrors(spec: JsonObject, former: JsonObject): FieldError[] {
  const [next, old] = [numberAt(spec, 'completions'), numberAt(former, 'completions')];
  if (spec.completionMode !== 'Indexed') return validateImmutable('spec.completions', next, old);
  if (next === old || next === undefined || next === numberAt(spec, 'parallelism')) return [];
  return [invalidValue('spec.completions', next, 'can only be modified in tandem with spec.parallelism')];
}

function statusErrors(next: ApiObject, old: ApiObject): FieldError[] {
  const [status, former, spec] = [objectAt(next, 'status'), objectAt(old, 'status'), objectAt(next, 'spec')];
  const isElastic = spec.completionMode === 'Indexed' && spec.completions === spec.parallelism;
  return [
    ...COUNTS.flatMap((name) => validateNonNegative(`status.${name}`, numberAt(status, name))),
    ...['failed', ...(isElastic ? [] : ['succeeded'])].flatMap((name) => {
      const count = numberAt(status, name) ?? 0;
      const isLess = count < (numberAt(former, name) ?? 0);
      return isLess ? [invalidValue(`status.${name}`, count, `cannot decrease the ${name} counter`)] : [];
    }),
  ];
}

function specErrors(spec: JsonObject, field: string): FieldError[] {
  const policy = spec.podReplacementPolicy;
  const replacements = isJsonObject(spec.podFailurePolicy) ? ['Failed'] : ['Failed', 'TerminatingOrFailed'];
  const template = objectAt(spec, 'template');
  return [
    ...NUMBERS.flatMap((name) => validateNonNegative(`${field}.${name}`, numberAt(spec, name))),
    ...modeErrors(spec, field),
    ...(policy === undefined ? [] : validateOneOf(`${field}.podReplacementPolicy`, policy, replacements)),
    ...validatePodTemplate(template, `${field}.template`),
    ...restartErrors(spec, stringAt(template.spec, 'restartPolicy'), `${field}.template.spec.restartPolicy`),
  ];
}

function modeErrors(spec: JsonObject, field: string): FieldError[] {
  const mode = spec.completionMode;
  const parallelism = numberAt(spec, 'parallelism') ?? 0;
  if (mode === 'Indexed') {
    const tooMany = `must be less than or equal to ${MAX_INDEXED_PARALLELISM} when completion mode is Indexed`;
    return [
      ...(spec.completions === undefined ? [required(`${field}.completions`, 'when completion mode is Indexed')] : []),
      ...(parallelism > MAX_INDEXED_PARALLELISM ? [invalidValue(`${field}.parallelism`, parallelism, tooMany)] : []),
    ];
  }
  if (mode !== undefined && mode !== 'NonIndexed')
    return [notSupported(`${field}.completionMode`, mode, ['NonIndexed', 'Indexed'])];
  return ['backoffLimitPerIndex', 'maxFailedIndexes'].flatMap((name) =>
    spec[name] === undefined ? [] : [invalidValue(`${field}.${name}`, spec[name], 'requires indexed completion mode')],
  );
}

function restartErrors(spec: JsonObject, policy: string, field: string): FieldError[] {
  if (policy === 'Always' || policy === '') return [required(field, 'valid values: "OnFailure", "Never"')];
  if (policy !== 'OnFailure' && policy !== 'Never') return [notSupported(field, policy, ['OnFailure', 'Never'])];
  const isFree = !isJsonObject(spec.podFailurePolicy) || policy === 'Never';
  return isFree ? [] : [invalidValue(field, policy, 'only "Never" is supported when podFailurePolicy is specified')];
}

function selectorErrors({ selector, template }: JsonObject): FieldError[] {
  const { labels } = objectAt(template, 'metadata');
  if (!isJsonObject(selector)) return [required('spec.selector'), mismatched(labels)];
  const problems = validateLabelSelector(selector, 'spec.selector');
  const isSettled = problems.length > 0 || matchesSelector(selector, labels as Record<string, string>);
  return isSettled ? problems : [mismatched(labels)];
}

function mismatched(labels: unknown): FieldError {
  const detail = '`selector` does not match template `labels`';
  return invalidValue('spec.template.metadata.labels', inOrder(labels), detail);
}

/** The pod template must have the labels of a generated selector. */
function generatedSelectorErrors({ metadata }: ApiObject, spec: JsonObject): FieldError[] {
  if (spec.manualSelector === true || !isJsonObject(spec.selector)) return [];
  const { uid = '' } = metadata;
  const name = stringAt(metadata, 'name'); // may still be missing
  const expected = {
    'controller-uid': uid,
    'job-name': name,
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
  };
  const labels = objectAt(objectAt(objectAt(spec, 'template'), 'metadata'), 'labels');
  const wrong = Object.entries(expected).flatMap(([key, value]) => labelErrors(labels, key, value));
  const isMade = !isReadableSelector(spec.selector) || matchesSelector(spec.selector, expected);
  return [
    ...wrong,
    ...(isMade ? [] : [invalidValue('spec.selector', encodeSelector(spec.selector), '`selector` not auto-generated')]),
  ];
}

/** Checks a required label: core's ValidateHasLabel. */
function labelErrors(labels: JsonObject, key: string, expected: string): FieldError[] {
  const field = 'spec.template.metadata.labels';
  const actual = labels[key];
  if (actual === undefined) return [required(`${field}[${key}]`, `must be '${expected}'`)];
  return actual === expected ? [] : [invalidValue(`${field}[${key}]`, inOrder(labels), `must be '${expected}'`)];
}

function hostnameErrors({ metadata }: ApiObject, spec: JsonObject): FieldError[] {
  const completions = numberAt(spec, 'completions') ?? 0;
  if (spec.completionMode !== 'Indexed' || completions <= 0) return [];
  const name = stringAt(metadata, 'name');
  const hostname = `${name}-${completions - 1}`;
  if (dnsLabelErrors(hostname).length === 0) return [];
  const detail = `will not able to create pod with invalid DNS label: ${hostname}`;
  return [invalidValue('metadata.name', name, detail)];
}

/** Returns the errors of a CronJob, or of its update when `old` is given. */
export function validateCronJob(object: ApiObject, old?: ApiObject): FieldError[] {
  const spec = objectAt(object, 'spec');
  const name = stringAt(object.metadata, 'name');
  const isLong = old === undefined && name.length > MAX_CRON_JOB_NAME;
  return [
    ...scheduleErrors(spec, stringAt(old?.spec, 'schedule').includes('TZ')),
    ...validateNonNegative('spec.startingDeadlineSeconds', numberAt(spec, 'startingDeadlineSeconds')),
    ...(old && objectAt(old, 'spec').timeZone === spec.timeZone ? [] : timeZoneErrors(spec.timeZone)),
    ...validateOneOf('spec.concurrencyPolicy', spec.concurrencyPolicy, ['Allow', 'Forbid', 'Replace']),
    ...jobTemplateErrors(objectAt(objectAt(spec, 'jobTemplate'), 'spec')),
    ...validateNonNegative('spec.successfulJobsHistoryLimit', numberAt(spec, 'successfulJobsHistoryLimit')),
    ...validateNonNegative('spec.failedJobsHistoryLimit', numberAt(spec, 'failedJobsHistoryLimit')),
    ...(isLong ? [invalidValue('metadata.name', name, 'must be no more than 52 characters')] : []),
  ];
}

function scheduleErrors(spec: JsonObject, mayHaveZone: boolean): FieldError[] {
  const [field, schedule] = ['spec.schedule', stringAt(spec, 'schedule')];
  if (schedule === '') return [required(field)];
  const problem = cronProblem(schedule);
  const errors = problem === undefined ? [] : [invalidValue(field, schedule, problem)];
  if (!schedule.includes('TZ')) return errors;
  if (!mayHaveZone)
    return [
      ...errors,
      invalidValue(field, schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'),
    ];
  const detail = 'cannot use both timeZone field and TZ or CRON_TZ in schedule';
  return spec.timeZone === undefined ? errors : [...errors, invalidValue(field, schedule, detail)];
}

function timeZoneErrors(zone: unknown): FieldError[] {
  const field = 'spec.timeZone';
  if (typeof zone !== 'string') return [];
  if (zone === '') return [invalidValue(field, zone, 'timeZone must be nil or non-empty string')];
  if (zone.toLowerCase() === 'local') {
    const detail = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
    return [invalidValue(field, zone, detail)];
  }
  return isTimeZone(zone) ? [] : [invalidValue(field, zone, `unknown time zone ${zone}`)];
}

function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function jobTemplateErrors(spec: JsonObject): FieldError[] {
  const field = 'spec.jobTemplate.spec';
  return [
    ...specErrors(spec, field),
    ...(isJsonObject(spec.selector)
      ? [invalidValue(`${field}.selector`, encodeSelector(spec.selector), '`selector` will be auto-generated')]
      : []),
    ...(spec.manualSelector === true ? [notSupported(`${field}.manualSelector`, true, ['nil', 'false'])] : []),
  ];
}
