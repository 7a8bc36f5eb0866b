import type { KubeObject, ObjectMeta, UnstructuredObject } from '../api/kube-object.js';
import { parseJson } from '../base/json.js';
import { toApiError, type ApiRequest } from './api-error.js';
import type { WatchEventType } from './watch-event.js';
import { WatchLineError } from './watch-line-error.js';

/** Takes one event of a watch. */
export type WatchHandler = (type: WatchEventType, object: UnstructuredObject) => void;

interface ReceivedEvent {
  readonly type?: unknown;
  readonly object?: unknown;
}

/**
 * Hands the event of one line on, without its managedFields unless they are wanted.
 *
 * @throws ApiError what an ERROR event says, and WatchLineError when the line is no event.
 */
export function handleWatchLine(
  line: string,
  request: ApiRequest,
  keepManagedFields: boolean,
  onEvent: WatchHandler,
): void {
  const { type, object } = parseEvent(line, request);
  if (type === 'ERROR') throw toApiError(500, object, request);
  if (!isEventType(type) || !hasMetadata(object)) throw malformed(line, request);
  if (!keepManagedFields) dropManagedFields(object);
  onEvent(type, object);
}

/** Frees most of what an object weighs. Not `delete`, which costs 0.3 µs and turns metadata into a slow dictionary. */
export function dropManagedFields({ metadata }: KubeObject): void {
  const fields: ObjectMeta & { managedFields?: unknown } = metadata;
  if (fields.managedFields !== undefined) fields.managedFields = undefined;
}

function parseEvent(line: string, request: ApiRequest): ReceivedEvent {
  let event: unknown;
  try {
    event = parseJson(line);
  } catch {
    throw malformed(line, request);
  }
  if (typeof event !== 'object' || event === null) throw malformed(line, request);
  return event;
}

function isEventType(type: unknown): type is WatchEventType {
  return type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED' || type === 'BOOKMARK';
}

function hasMetadata(object: unknown): object is UnstructuredObject {
  const metadata = (object as UnstructuredObject | null | undefined)?.metadata as unknown;
  return typeof metadata === 'object' && metadata !== null;
}

/** Says where, not what: the line may be a Secret. */
function malformed(line: string, { path }: ApiRequest): WatchLineError {
  const type = /^\s*\{"type":"(\w{1,40})"/.exec(line)?.[1];
  const what = type === undefined ? 'a line that is no watch event' : `an event ${type} that cannot be read`;
  return new WatchLineError(`the server sent ${what} (${line.length} characters) on ${path}`);
}
