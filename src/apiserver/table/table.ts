import { TEMPLATE_GENERATION } from '../objects/template-generation.js';
import { numberAt, without, type ApiObject, type JsonObject, type Metadata } from '../objects/api-object.js';
import { humanAge } from './human-duration.js';
import type { TableColumn } from './table-column.js';

export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** metav1.Table of some objects. */
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

/** FlowSchemas are shown in the order in which they match. */
function inTableOrder(objects: readonly ApiObject[]): readonly ApiObject[] {
  if (objects[0]?.kind !== 'FlowSchema') return objects;
  const precedence = ({ spec }: ApiObject): number => numberAt(spec, 'matchingPrecedence') ?? 0;
  return objects.toSorted((a, b) => precedence(a) - precedence(b) || (a.metadata.name < b.metadata.name ? -1 : 1));
}

/** The age of an IPAddress has a cell, and no column. */
function unnamedCells({ kind, metadata }: ApiObject, nowMs: number): unknown[] {
  return kind === 'IPAddress' ? [humanAge(metadata.creationTimestamp, nowMs)] : [];
}

/** Kinds without a printer of their own have Kubernetes' default columns, and null for rows when there are none. */
function isEmptyDefault(columns: readonly TableColumn[], objects: readonly ApiObject[]): boolean {
  return objects.length === 0 && columns.some(({ name }) => name === 'Created At');
}

/** metav1.PartialObjectMetadata: the object's metadata alone. */
export function partial(apiVersion: string, object: ApiObject): JsonObject {
  return { kind: 'PartialObjectMetadata', apiVersion, metadata: internalMetadata(object) };
}

/** Metadata alone is that of the internal type, where the annotation that apps/v1 shows is a field of the spec. */
function internalMetadata({ apiVersion, kind, metadata }: ApiObject): Metadata {
  if (apiVersion !== 'apps/v1' || kind !== 'DaemonSet') return metadata;
  const annotations = without(metadata.annotations ?? {}, TEMPLATE_GENERATION);
  return { ...without(metadata, 'annotations'), ...(Object.keys(annotations).length > 0 && { annotations }) };
}
