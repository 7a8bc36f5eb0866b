import { CoreEvent } from '../../api/kinds/kinds.js';
import { processRedactor } from '../../api/access/redaction.js';
import { parseTime } from '../../base/timestamp.js';
import { thrownError } from '../../base/thrown-error.js';
import type { Client } from '../../client/client.js';
import type { Visibility } from '../access/visibility.js';
import { kindId } from '../kind-id.js';
import type { EventLine, EventList } from '../wire.js';
import type { CachedObject } from '../cached-objects.js';
import { errorLine } from './error-detail.js';

const MOST_EVENTS = 200;
const TIMEOUT_MS = 5000;

/** Reads the Events about an object from the API server. */
export async function objectEvents(
  { object, cluster }: CachedObject,
  client: Client,
  visibility: Visibility,
): Promise<EventList> {
  if (cluster !== undefined) return { events: [], error: 'events of other clusters are not read' };
  const { uid = '', namespace = 'default' } = object.metadata;
  if (!visibility.sees({ kind: kindId(CoreEvent), namespace }))
    return { events: [], error: `no permission to list events in namespace ${namespace}` };
  try {
    const fieldSelector = `involvedObject.uid=${uid}`;
    const { items } = await client.list(CoreEvent, { namespace, fieldSelector, retries: 0, timeout: TIMEOUT_MS });
    const lines = items.map(eventLine).sort((a, b) => b.lastAt - a.lastAt);
    return { events: lines.slice(0, MOST_EVENTS) };
  } catch (error) {
    return { events: [], error: errorLine(thrownError(error)) };
  }
}

function eventLine(event: CoreEvent): EventLine {
  const { type, reason = '', message = '', count = 1, series } = event;
  const known = timesOf(event);
  return {
    type: type === 'Warning' ? 'Warning' : 'Normal',
    reason,
    message: processRedactor.text(message),
    count: series?.count ?? count,
    firstAt: known.length > 0 ? Math.min(...known) : 0,
    lastAt: Math.max(0, ...known),
    source: reporterOf(event),
  };
}

function reporterOf({ reportingComponent = '', source }: CoreEvent): string {
  return reportingComponent === '' ? (source?.component ?? '') : reportingComponent;
}

/** Events of events.k8s.io have other times than those of the core group. */
function timesOf({ firstTimestamp, eventTime, series, lastTimestamp, metadata }: CoreEvent): number[] {
  const times = [firstTimestamp, eventTime, series?.lastObservedTime, lastTimestamp];
  const present = times.filter((time) => typeof time === 'string');
  const fallback = metadata.creationTimestamp === undefined ? [] : [metadata.creationTimestamp];
  return (present.length > 0 ? present : fallback).flatMap((time) => parseTime(time) ?? []);
}
