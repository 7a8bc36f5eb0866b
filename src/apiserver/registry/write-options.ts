import type { Preconditions } from './preconditions.js';
import type { UserInfo } from '../objects/user-info.js';
import type { RemoteCalls } from '../remote/remote-calls.js';
import type { JsonObject } from '../objects/api-object.js';

/** The parameters of a write besides the object. */
export interface WriteOptions {
  readonly user: UserInfo;
  readonly fieldManager: string;
  readonly dryRun?: boolean;
  /** Warnings for the client; the write appends to them. */
  readonly warnings?: string[];
  /** Annotations of the audit event; the write adds to them. */
  readonly annotations?: Record<string, string> | undefined;
  /** The options as the client sent them, for webhooks. */
  readonly options?: JsonObject | undefined;
  /** The responses of webhooks; if undefined, webhooks are not called. */
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
