import { objectKey } from '../../api/object-key.js';
import { formatTime } from '../../base/timestamp.js';
import { numberAt, stringAt, type ApiObject, type JsonObject } from '../object.js';
import type { Resource } from '../resources/resource.js';
import type { ClusterClient } from './cluster-client.js';

/** kube-apiserver keeps Events this long. */
const LIFETIME_MS = 3_600_000;

/** What is told of an object. */
export interface Occurrence {
  readonly reason: string;
  readonly message: string;
  /** Default: Normal. */
  readonly type?: 'Normal' | 'Warning';
  /** The part of the object it is about, e.g. `spec.containers{c}`. */
  readonly fieldPath?: string;
  /** The node of a component that runs on each. */
  readonly host?: string;
}

/** Tells of what a component does, as Events: the same again counts up the one there is. */
export class EventRecorder {
  private readonly events;
  /** Events by what they tell, with the time they were last told; oldest first. */
  private readonly told = new Map<string, { readonly key: string; readonly at: number }>();
  private sequence = 0;

  constructor(
    private readonly client: ClusterClient,
    private readonly component: string,
  ) {
    this.events = client.resource('v1', 'events');
  }

  /** Never throws: what is told is of no account to the teller. */
  record(resource: Resource, object: ApiObject, occurrence: Occurrence): void {
    const now = this.client.clock.now();
    const identity = JSON.stringify([object.metadata.uid, occurrence]);
    try {
      this.forget(now - LIFETIME_MS);
      const known = this.told.get(identity);
      const present = known && this.client.get(this.events, known.key);
      const event = present ?? this.create(resource, object, occurrence, now);
      if (present) this.countUp(present);
      this.told.delete(identity);
      this.told.set(identity, { key: objectKey(event), at: now });
    } catch (error) {
      this.client.logger.debug('event not recorded', { reason: occurrence.reason, err: error });
    }
  }

  private forget(before: number): void {
    for (const [identity, { at }] of this.told) {
      if (at > before) return;
      this.told.delete(identity);
    }
  }

  private countUp(event: ApiObject): void {
    const lastTimestamp = this.client.now;
    this.client.update(this.events, event, (old) => ({
      ...old,
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

/** The part of a pod a container is. */
export function containerPath(container: JsonObject): string {
  return `spec.containers{${stringAt(container, 'name')}}`;
}
