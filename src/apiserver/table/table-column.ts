import type { ApiObject } from '../objects/api-object.js';

/** A column of the Table kubectl prints: metav1.TableColumnDefinition and how to fill a cell. */
export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
  cell(object: ApiObject, nowMs: number): unknown;
}
