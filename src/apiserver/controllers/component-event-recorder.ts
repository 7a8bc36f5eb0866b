import { objectKey } from '../../api/objects/object-key.js';
import { formatTime } from '../../base/timestamp.js';
import { numberAt, stringAt, type ApiObject, type JsonObject } from '../objects/api-object.js';
import type { Resource } from '../resources/resource.js';
import type { ClusterClient } from './cluster-client.js';

/** Retention period of Events in kube-apiserver. */
const LIFETIME_MS = 3_600_000;
/** From the 10th similar occurrence of an object on, all share one Event, until none occurs for this time. */
const [MOST_ALIKE, ALIKE_MS] = [10, 600_000];
const COMBINED = '(combined from similar events): ';

/** An occurrence to record as an Event of an object. */
export interface Occurrence {
  readonly reason: string;
  readonly message: string;
  /** Default: Normal. */
  readonly type?: 'Normal' | 'Warning';
  /** The part of the object concerned, e.g. `spec.containers{c}`. */
  readonly fieldPath?: string;
  /** The node of a component that runs on every node. */
  readonly host?: string;
}

/** Records Events of a component. A repeated occurrence increments the count of the existing Event. */
export class ComponentEventRecorder {
  private readonly events;
  /** Events by identity, with the time of the last occurrence; oldest first. */
  private readonly recorded = new Map<string, { readonly key: string; readonly at: number }>();
  /** Messages of similar occurrences, by the properties they share; oldest first. */
  private readonly alike = new Map<string, { readonly messages: Set<string>; readonly at: number }>();
  private sequence = 0;

  constructor(
    private readonly client: ClusterClient,
    private readonly component: string,
  ) {
    this.events = client.resource('v1', 'events');
  }

  /** Records an occurrence. Never throws; failures are logged at debug level. */
  record(resource: Resource, object: ApiObject, occurrence: Occurrence): void {
    const now = this.client.clock.now();
    try {
      this.forget(now);
      const { identity, message } = this.combined(object, occurrence, now);
      const known = this.recorded.get(identity);
      const present = known && this.client.get(this.events, known.key);
      const event = present ?? this.create(resource, object, { ...occurrence, message }, now);
      if (present) this.countUp(present, message);
      this.recorded.delete(identity);
      this.recorded.set(identity, { key: objectKey(event), at: now });
    } catch (error) {
      this.client.logger.debug('event not recorded', { reason: occurrence.reason, err: error });
    }
  }

  private forget(now: number): void {
    forgetBefore(this.recorded, now - LIFETIME_MS);
    forgetBefore(this.alike, now - ALIKE_MS);
  }

  /**
   * Returns the identity and the message of the Event. Many similar occurrences share one Event, with the last message.
   */
  private combined(object: ApiObject, occurrence: Occurrence, now: number): { identity: string; message: string } {
    const { reason, message, type, host } = occurrence;
    const { uid } = object.metadata;
    const group = JSON.stringify([uid, type, reason, host]);
    const messages = this.alike.get(group)?.messages ?? new Set<string>();
    messages.add(message);
    this.alike.delete(group);
    this.alike.set(group, { messages, at: now });
    if (messages.size < MOST_ALIKE) return { identity: JSON.stringify([uid, occurrence]), message };
    const [oldest = ''] = messages;
    messages.delete(oldest);
    return { identity: group, message: `${COMBINED}${message}` };
  }

  private countUp(event: ApiObject, message: string): void {
    const lastTimestamp = this.client.now;
    this.client.update(this.events, event, (old) => ({
      ...old,
      message,
      count: (numberAt(old, 'count') ?? 1) + 1,
      lastTimestamp,
    }));
  }

  private create(resource: Resource, object: ApiObject, occurrence: Occurrence, nowMs: number): ApiObject {
    const { reason, message, type = 'Normal', fieldPath, host } = occurrence;
    const { name, namespace, uid, resourceVersion } = object.metadata;
    const { apiVersion, kind } = resource;
    const now = formatTime(nowMs);
    const serial = (BigInt(nowMs) * 1_000_000n + BigInt(this.sequence++ % 1_000_000)).toString(16);
    return this.client.create(this.events, {
      metadata: { name: `${name}.${serial}`, namespace: namespace ?? 'default' },
      involvedObject: {
        kind,
        namespace,
        name,
        uid,
        apiVersion,
        resourceVersion,
        ...(fieldPath !== undefined && { fieldPath }),
      },
      reason,
      message,
      source: { component: this.component, ...(host !== undefined && { host }) },
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
      type,
      reportingComponent: this.component,
      reportingInstance: host ?? '',
    });
  }
}

/** Deletes outdated entries of a map in which the oldest come first. */
function forgetBefore(entries: Map<string, { readonly at: number }>, before: number): void {
  for (const [identity, { at }] of entries) {
    if (at > before) return;
    entries.delete(identity);
  }
}

/** Returns the field path of a container in its pod. */
export function containerPath(container: JsonObject): string {
  return `spec.containers{${stringAt(container, 'name')}}`;
}
