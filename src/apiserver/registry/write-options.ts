import type { UserInfo } from '../objects/user-info.js';
import type { RemoteCalls } from '../remote/remote-calls.js';
import type { JsonObject, Metadata } from '../objects/api-object.js';

/** What a write carries besides the object. */
export interface WriteOptions {
  readonly user: UserInfo;
  readonly fieldManager: string;
  readonly dryRun?: boolean;
  /** Warnings for the client, added to. */
  readonly warnings?: string[];
  /** Noted in the audit event; added to. */
  readonly annotations?: Record<string, string> | undefined;
  /** The options as the client gave them, for webhooks. */
  readonly options?: JsonObject | undefined;
  /** Where webhooks may be waited for; without, none is asked. */
  readonly calls?: RemoteCalls | undefined;
}

/** metav1.DeleteOptions. */
export interface DeleteOptions {
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground' | undefined;
  readonly orphanDependents?: boolean | undefined;
  readonly preconditions?: Preconditions | undefined;
  readonly dryRun?: boolean | undefined;
}

export interface Preconditions {
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

/** Why an object does not meet the preconditions; undefined when it does. */
export function unmetPrecondition({ uid, resourceVersion }: Preconditions, metadata: Metadata): string | undefined {
  if (uid !== undefined && uid !== metadata.uid) {
    return `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid ?? ''}). The object might have been deleted and then recreated`;
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    return `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion ?? ''}). The object might have been modified`;
  }
  return undefined;
}
