import type { ObjectRefWire } from './objects.js';
import type { FieldChange } from './runs.js';

export interface Accepted {
  readonly accepted: true;
}

export interface ApplyRequest {
  /** One object as YAML or JSON text. */
  readonly object: string;
}

export interface DeleteRequest {
  readonly uid: string;
  /** True to ask the API server what would happen. */
  readonly dryRun?: boolean;
}

/** The answer of the API server to a write or to its dry run; an invalid object is not an HTTP error. */
export interface WriteResult {
  readonly ok: boolean;
  /** The object after the write, as YAML; missing after a deletion. */
  readonly yaml?: string;
  readonly object?: ObjectRefWire;
  /** Compared with the present object. */
  readonly changes: readonly FieldChange[];
  readonly diagnostics: readonly WriteDiagnostic[];
}

export interface WriteDiagnostic {
  readonly level: 'error' | 'warning';
  readonly message: string;
  /** `spec.size`; missing if no field is named. */
  readonly path?: string;
  /** The line in the request's text, from 1; missing if it is unknown. */
  readonly line?: number;
  /** The field manager of a conflict. */
  readonly manager?: string;
}
