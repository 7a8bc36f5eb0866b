import type { ApiObject } from '../objects/api-object.js';

/** A column of a Table: metav1.TableColumnDefinition and a function for its cells. */
export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
  cell(object: ApiObject, nowMs: number): unknown;
}
