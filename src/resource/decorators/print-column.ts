import type { KubeObject } from '../../api/kube-object.js';
import { metadataKey, prependMetadata } from '../metadata.js';

/** A column of `kubectl get`. */
export interface PrintColumn {
  readonly name: string;
  readonly type: 'boolean' | 'date' | 'integer' | 'number' | 'string';
  /** Where the value stands, such as `.spec.size`. */
  readonly jsonPath: string;
  readonly description?: string;
  readonly format?: 'byte' | 'date' | 'date-time' | 'double' | 'float' | 'int32' | 'int64' | 'password';
  /** Above 0: only in wide output. */
  readonly priority?: number;
}

export const PRINT_COLUMN = metadataKey<PrintColumn>('printColumn');

/** Adds a column to `kubectl get`; once one is given, AGE is no longer added by itself. */
export function PrintColumn(column: PrintColumn): (target: abstract new (...args: never[]) => KubeObject) => void {
  return (target) => {
    prependMetadata(PRINT_COLUMN, target, column);
  };
}
