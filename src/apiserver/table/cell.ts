import { type ApiObject, type JsonObject, eachObject, objectAt } from '../objects/api-object.js';
import { selectorText } from '../objects/selector-text.js';

/** Returns the value of a column for an object. */
export type Cell = (object: ApiObject, nowMs: number) => unknown;

/** Cells by column name. */
export type Cells = Readonly<Record<string, Cell>>;

export const specOf = (object: ApiObject): JsonObject => objectAt(object, 'spec');
export const statusOf = (object: ApiObject): JsonObject => objectAt(object, 'status');

/** Shows a field of the spec, or a default. */
export const spec =
  (field: string, absent: unknown = 0): Cell =>
  (object) =>
    specOf(object)[field] ?? absent;

/** Shows a field of the status, or a default. */
export const status =
  (field: string, absent: unknown = 0): Cell =>
  (object) =>
    statusOf(object)[field] ?? absent;

/** Shows a top-level field, or a default. */
export const field =
  (name: string, absent: unknown = ''): Cell =>
  (object) =>
    object[name] ?? absent;

/** Shows the number of items in a top-level list. */
export const countOf =
  (name: string): Cell =>
  (object) =>
    eachObject(object[name]).length;

export const selector =
  (name = 'selector'): Cell =>
  (object) =>
    selectorText(specOf(object)[name]) || '<none>';

/** Returns cells for the names and images of a pod template's containers. */
export function templateCells(templateOf: (object: ApiObject) => unknown): Cells {
  const join =
    (member: string): Cell =>
    (object) =>
      eachObject(objectAt(templateOf(object), 'spec').containers)
        .map((container) => container[member])
        .join(',');
  return { Containers: join('name'), Images: join('image') };
}

/** Joins at most `most` of the texts and adds the number of the others. */
export function abridged(texts: readonly string[], most: number): string {
  if (texts.length === 0) return '<none>';
  const more = texts.length - most;
  return more > 0 ? `${texts.slice(0, most).join(',')} + ${more} more...` : texts.join(',');
}
