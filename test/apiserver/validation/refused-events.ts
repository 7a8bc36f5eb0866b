import type { RefusedObject } from './refused-objects.js';

const EVENTS = '/apis/events.k8s.io/v1/namespaces/default/events';
const event = { apiVersion: 'events.k8s.io/v1', kind: 'Event' };

/** Invalid Events; the errors contain the field names of v1. */
export const REFUSED_EVENTS: readonly RefusedObject[] = [
  [
    'an Event without required fields',
    EVENTS,
    { ...event, regarding: { namespace: 'default' }, type: 'Odd', deprecatedCount: 1, series: { count: 1 } },
    '[series.count: Invalid value: "": should be at least 2, series.lastObservedTime: Required value, eventTime: Required value, type: Invalid value: "": has invalid value: Odd, count: Invalid value: "": needs to be unset]',
  ],
  [
    'an Event without a reporting controller',
    EVENTS,
    { ...event, eventTime: '2026-01-01T00:00:00.000000Z', type: 'Normal', action: 'x'.repeat(129) },
    "[reportingController: Required value, reportingController: Invalid value: \"\": name part must be non-empty, reportingController: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'), reportingInstance: Required value, action: Invalid value: \"\": can have at most 128 characters, reason: Required value]",
  ],
  [
    'an Event about an object in another namespace',
    '/api/v1/namespaces/default/events',
    { apiVersion: 'v1', kind: 'Event', involvedObject: { namespace: 'other' } },
    'involvedObject.namespace: Invalid value: "other": does not match event.namespace',
  ],
];
