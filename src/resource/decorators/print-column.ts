import type { KubeObject } from '../../api/objects/kube-object.js';
import { splitGate, type FeatureGate, type Gated } from '../feature-gates.js';
import { appendMetadata, assertCalled, classOfMember, metadataKey, prependMetadata } from '../metadata.js';

/** A column of `kubectl get`. */
export interface PrintColumn {
  readonly name: string;
  readonly type: 'boolean' | 'date' | 'integer' | 'number' | 'string';
  /** Path of the value, such as `.spec.size`. */
  readonly jsonPath: string;
  readonly description?: string;
  readonly format?: 'byte' | 'date' | 'date-time' | 'double' | 'float' | 'int32' | 'int64' | 'password';
  /** Columns with a priority above 0 are shown in wide output only. */
  readonly priority?: number;
  /** Allows a path that does not lead to a field; such a column is empty. */
  readonly anyPath?: boolean;
}

/** A column with the path, and by default the name and type, of a property. */
export interface FieldPrintColumn extends Partial<Omit<PrintColumn, 'jsonPath'>> {
  /** Default: the property's name in words. */
  readonly name?: string;
}

/** A column of a class, without its gate. */
export interface PrintColumnEntry {
  readonly column: PrintColumn;
  readonly gate: FeatureGate | undefined;
}

export const PRINT_COLUMN = metadataKey<PrintColumnEntry>('printColumn', ({ gate }) => gate);

/** A column and the property that it shows. */
export interface FieldPrintColumnEntry {
  readonly property: string;
  readonly column: FieldPrintColumn;
}

export const FIELD_PRINT_COLUMN = metadataKey<FieldPrintColumnEntry>('fieldPrintColumn');

/** Adds a column to `kubectl get`. A kind with columns has no default AGE column. */
export function PrintColumn(
  column: PrintColumn & Gated,
): (target: abstract new (...args: never[]) => KubeObject) => void;
/** Shows the property as a column of `kubectl get`, after those of the class. */
export function PrintColumn(column?: FieldPrintColumn): (target: object, property: string) => void;
export function PrintColumn(
  options: (PrintColumn & Gated) | FieldPrintColumn = {},
): (target: object, property?: string) => void {
  assertCalled(PRINT_COLUMN, options);
  const { gate, rest: column } = splitGate<PrintColumn | FieldPrintColumn>(options);
  return (target, property) => {
    if (property === undefined) prependMetadata(PRINT_COLUMN, target, { column: column as PrintColumn, gate });
    else appendMetadata(FIELD_PRINT_COLUMN, classOfMember(PRINT_COLUMN, target, property), { property, column });
  };
}
