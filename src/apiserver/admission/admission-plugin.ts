import type { ApiObject } from '../objects/api-object.js';
import type { AdmissionAttributes } from '../registry/admission.js';

/** One pass of a write through the mutating plugins; a second pass follows if a later plugin changed the object. */
export interface MutationRound {
  readonly isSecond: boolean;
  /** Returns the state of a plugin that is kept from the first pass to the second. */
  memory<T>(plugin: string, make: () => T): T;
  /** Requests a second pass. */
  requestSecond(): void;
}

/** A synchronous admission plugin. */
export interface AdmissionPlugin {
  readonly name: string;
  /** Returns the object, changed or not; must not modify its input. */
  mutate?(request: AdmissionAttributes, round: MutationRound): ApiObject;
  validate?(request: AdmissionAttributes): void;
}

/** An admission plugin that calls other servers. */
export interface RemoteAdmissionPlugin {
  readonly name: string;
  /** Returns whether the request may be relevant to the plugin. */
  concerns(request: AdmissionAttributes): boolean;
  mutateRemotely?(request: AdmissionAttributes, round: MutationRound): Promise<ApiObject>;
  validateRemotely?(request: AdmissionAttributes): Promise<void>;
}
