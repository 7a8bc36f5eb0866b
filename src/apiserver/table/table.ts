import { TEMPLATE_GENERATION } from '../objects/template-generation.js';
import { numberAt, without, type ApiObject, type JsonObject, type Metadata } from '../objects/api-object.js';
import { humanAge } from './human-duration.js';
import type { TableColumn } from './table-column.js';

export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** Returns the metav1.Table of objects. */
export function toTable(
  apiVersion: string,
  columns: readonly TableColumn[],
  objects: readonly ApiObject[],
  listMeta: JsonObject,
  include: IncludeObject,
  nowMs: number,
): JsonObject {
  return {
    kind: 'Table',
    apiVersion,
    metadata: listMeta,
    columnDefinitions: columns.map(({ name, type, format, description, priority }) => ({
      name,
      type,
      format,
      description,
      priority,
    })),
    rows: isEmptyDefault(columns, objects)
      ? null
      : inTableOrder(objects).map((object) => ({
          cells: [...columns.map((column) => column.cell(object, nowMs) ?? null), ...unnamedCells(object, nowMs)],
          ...(include !== 'None' && { object: include === 'Object' ? object : partial(apiVersion, object) }),
          ...(include === 'None' && { object: null }),
        })),
  };
}

/** Sorts FlowSchemas by matching precedence; keeps the order of other kinds. */
function inTableOrder(objects: readonly ApiObject[]): readonly ApiObject[] {
  if (objects[0]?.kind !== 'FlowSchema') return objects;
  const precedence = ({ spec }: ApiObject): number => numberAt(spec, 'matchingPrecedence') ?? 0;
  return objects.toSorted((a, b) => precedence(a) - precedence(b) || (a.metadata.name < b.metadata.name ? -1 : 1));
}

/** Returns the cells without a column, such as the age of an IPAddress. */
function unnamedCells({ kind, metadata }: ApiObject, nowMs: number): unknown[] {
  return kind === 'IPAddress' ? [humanAge(metadata.creationTimestamp, nowMs)] : [];
}

/** Returns whether rows are null: the case for empty lists of kinds with Kubernetes' default columns. */
function isEmptyDefault(columns: readonly TableColumn[], objects: readonly ApiObject[]): boolean {
  return objects.length === 0 && columns.some(({ name }) => name === 'Created At');
}

/** Returns metav1.PartialObjectMetadata: only the object's metadata. */
export function partial(apiVersion: string, object: ApiObject): JsonObject {
  return { kind: 'PartialObjectMetadata', apiVersion, metadata: internalMetadata(object) };
}

/** Returns the metadata of the internal type, which lacks the annotation that apps/v1 creates from a spec field. */
function internalMetadata({ apiVersion, kind, metadata }: ApiObject): Metadata {
  if (apiVersion !== 'apps/v1' || kind !== 'DaemonSet') return metadata;
  const annotations = without(metadata.annotations ?? {}, TEMPLATE_GENERATION);
  return { ...without(metadata, 'annotations'), ...(Object.keys(annotations).length > 0 && { annotations }) };
}
