import type { ApiObject } from '../objects/api-object.js';
import type { AdmissionAttributes } from '../registry/admission.js';

/** One pass of a write through the plugins that may change it; there is a second when a late one did. */
export interface MutationRound {
  readonly isSecond: boolean;
  /** What a plugin keeps from the first pass to the second. */
  memory<T>(plugin: string, make: () => T): T;
  /** Asks for a second pass. */
  requestSecond(): void;
}

/** A step of admission that decides at once. */
export interface AdmissionPlugin {
  readonly name: string;
  /** The object, changed or not; leaves the one it is given as it is. */
  mutate?(request: AdmissionAttributes, round: MutationRound): ApiObject;
  validate?(request: AdmissionAttributes): void;
}

/** A step of admission that asks servers elsewhere. */
export interface RemoteAdmissionPlugin {
  readonly name: string;
  /** Whether the request may concern it at all. */
  concerns(request: AdmissionAttributes): boolean;
  mutateRemotely?(request: AdmissionAttributes, round: MutationRound): Promise<ApiObject>;
  validateRemotely?(request: AdmissionAttributes): Promise<void>;
}
