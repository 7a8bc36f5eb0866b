import { ownMember } from '../../base/own-member.js';
import { invalidValue, required, type FieldError } from '../../api/protocol/field-error.js';
import { isJsonObject, numberAt, objectAt, stringAt, type ApiObject, type JsonObject } from '../objects/api-object.js';
import { dnsSubdomainErrors } from '../../api/objects/names.js';
import { checkDnsSubdomain, validateImmutable, checkQualifiedName } from './fields/field-checks.js';
import { internalForm } from './fields/internal-form.js';
import { standardFinalizerErrors, validateObjectMeta, validateObjectMetaUpdate } from './fields/object-meta.js';
import { semanticEqual } from './fields/semantic-equal.js';

const MAX_LENGTH = 128;
const MAX_MESSAGE = 1024;
const UNLIKE = 'does not match event.namespace';
const UNSET = 'needs to be unset';
/** Field names of v1 that differ from events.k8s.io. */
const CORE_NAMES: Readonly<Record<string, string>> = {
  regarding: 'involvedObject',
  note: 'message',
  deprecatedSource: 'source',
  deprecatedFirstTimestamp: 'firstTimestamp',
  deprecatedLastTimestamp: 'lastTimestamp',
  deprecatedCount: 'count',
  reportingController: 'reportingComponent',
};
const FROZEN = [
  ...['involvedObject', 'reason', 'message', 'source', 'firstTimestamp', 'lastTimestamp', 'count', 'reason', 'type'],
  ...['eventTime', 'action', 'related', 'reportingController', 'reportingInstance'],
];

/** Returns the errors of an Event of v1: core's legacyValidateEvent. */
export function validateCoreEvent(event: ApiObject): FieldError[] {
  return eventErrors(event, 'reportingComponent');
}

/** Returns the errors of a new Event of events.k8s.io; errors contain the field names of v1. */
export function validateNewEvent(object: ApiObject): FieldError[] {
  const event = asCore(object);
  const type = stringAt(event, 'type');
  const source = objectAt(event, 'source');
  const isSet = {
    firstTimestamp: stringAt(event, 'firstTimestamp') !== '',
    lastTimestamp: stringAt(event, 'lastTimestamp') !== '',
    count: (numberAt(event, 'count') ?? 0) !== 0,
    source: stringAt(source, 'component') !== '' || stringAt(source, 'host') !== '',
  };
  return [
    ...eventErrors(event, 'reportingController'),
    ...validateObjectMeta(object, true, dnsSubdomainErrors, false),
    ...seriesErrors(event),
    ...(isTimed(event) ? [] : [required('eventTime')]),
    ...(type === 'Normal' || type === 'Warning' ? [] : [invalidValue('type', '', `has invalid value: ${type}`)]),
    ...Object.entries(isSet).flatMap(([name, isGiven]) => (isGiven ? [invalidValue(name, '', UNSET)] : [])),
  ];
}

/** Returns the errors of an update of an Event of events.k8s.io: only its series can change. */
export function validateEventChange(next: ApiObject, old: ApiObject): FieldError[] {
  const [event, former] = [asCore(next), asCore(old)];
  return [
    ...eventErrors(event, 'reportingController'),
    ...validateObjectMetaUpdate(next, old),
    ...standardFinalizerErrors(next.metadata),
    ...(semanticEqual(event.series, former.series) ? [] : seriesErrors(event)),
    ...FROZEN.flatMap((name) => {
      const member = ownMember(CORE_NAMES, name) ?? name;
      return validateImmutable(name, shown(name, event[member]), shown(name, former[member]));
    }),
  ];
}

/** Formats a member as errors quote it. */
function shown(name: string, value: unknown): unknown {
  if (name === 'involvedObject') return internalForm('core.ObjectReference', value);
  if (name === 'related') return internalForm('*core.ObjectReference', value);
  if (name === 'source') return { Component: stringAt(value, 'component'), Host: stringAt(value, 'host') };
  if (name === 'count') return value ?? 0;
  return name.endsWith('Timestamp') || name === 'eventTime' ? (value ?? null) : (value ?? '');
}

function asCore(object: ApiObject): ApiObject {
  const entries = Object.entries(object).map(([name, value]) => [ownMember(CORE_NAMES, name) ?? name, value] as const);
  return Object.fromEntries(entries) as unknown as ApiObject;
}

const isTimed = (event: JsonObject): boolean => stringAt(event, 'eventTime') !== '';

function eventErrors(event: ApiObject, reportingField: string): FieldError[] {
  const namespace = event.metadata.namespace ?? '';
  return [
    ...placeErrors(namespace, stringAt(event.involvedObject, 'namespace'), isTimed(event)),
    ...(isTimed(event) ? timedErrors(event, reportingField) : []),
    ...checkDnsSubdomain('namespace', namespace),
  ];
}

/**
 * Events about cluster-scoped objects are in the namespace default; those with eventTime may also be in kube-system.
 */
function placeErrors(namespace: string, about: string, isOfTime: boolean): FieldError[] {
  const allowed = about === '' ? ['', 'default', ...(isOfTime ? ['kube-system'] : [])] : [about];
  const isRight = allowed.includes(namespace) || (isOfTime && about !== '');
  return isRight ? [] : [invalidValue('involvedObject.namespace', about, UNLIKE)];
}

function timedErrors(event: ApiObject, reportingField: string): FieldError[] {
  const reporter = stringAt(event, 'reportingComponent');
  return [
    ...(reporter === '' ? [required(reportingField)] : []),
    ...checkQualifiedName(reportingField, reporter),
    ...['reportingInstance', 'action', 'reason'].flatMap((name) => textErrors(name, stringAt(event, name))),
    ...lengthErrors('message', stringAt(event, 'message'), MAX_MESSAGE),
  ];
}

function textErrors(name: string, text: string): FieldError[] {
  return [...(text === '' ? [required(name)] : []), ...lengthErrors(name, text, MAX_LENGTH)];
}

function lengthErrors(name: string, text: string, max: number): FieldError[] {
  return Buffer.byteLength(text) > max ? [invalidValue(name, '', `can have at most ${max} characters`)] : [];
}

function seriesErrors({ series }: ApiObject): FieldError[] {
  if (!isJsonObject(series)) return [];
  return [
    ...((numberAt(series, 'count') ?? 0) < 2 ? [invalidValue('series.count', '', 'should be at least 2')] : []),
    ...(stringAt(series, 'lastObservedTime') === '' ? [required('series.lastObservedTime')] : []),
  ];
}
