import { type ApiObject, type JsonObject, eachObject, objectAt } from '../objects/api-object.js';
import { selectorText } from '../objects/selector-text.js';

/** What a column shows of an object. */
export type Cell = (object: ApiObject, nowMs: number) => unknown;

/** Cells by the names of their columns. */
export type Cells = Readonly<Record<string, Cell>>;

export const specOf = (object: ApiObject): JsonObject => objectAt(object, 'spec');
export const statusOf = (object: ApiObject): JsonObject => objectAt(object, 'status');

/** A field of the spec, or what stands for it. */
export const spec =
  (field: string, absent: unknown = 0): Cell =>
  (object) =>
    specOf(object)[field] ?? absent;

/** A field of the status, or what stands for it. */
export const status =
  (field: string, absent: unknown = 0): Cell =>
  (object) =>
    statusOf(object)[field] ?? absent;

/** A field beside the metadata, or what stands for it. */
export const field =
  (name: string, absent: unknown = ''): Cell =>
  (object) =>
    object[name] ?? absent;

/** How many items a list beside the metadata has. */
export const countOf =
  (name: string): Cell =>
  (object) =>
    eachObject(object[name]).length;

export const selector =
  (name = 'selector'): Cell =>
  (object) =>
    selectorText(specOf(object)[name]) || '<none>';

/** Names and images of the containers of a pod template. */
export function templateCells(templateOf: (object: ApiObject) => unknown): Cells {
  const join =
    (member: string): Cell =>
    (object) =>
      eachObject(objectAt(templateOf(object), 'spec').containers)
        .map((container) => container[member])
        .join(',');
  return { Containers: join('name'), Images: join('image') };
}

/** At most `most` of the texts, and how many more there are. */
export function abridged(texts: readonly string[], most: number): string {
  if (texts.length === 0) return '<none>';
  const more = texts.length - most;
  return more > 0 ? `${texts.slice(0, most).join(',')} + ${more} more...` : texts.join(',');
}
