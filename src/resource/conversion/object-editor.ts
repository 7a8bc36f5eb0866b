import { isJsonObject, valueAt, type JsonObject } from '../../base/json-object.js';
import { ownMember } from '../../base/own-member.js';
import { setMember } from '../../base/set-member.js';

/** The names of properties from an object to a field. */
export type FieldPathParts = readonly string[];

/** Splits `spec.labels.example\.com/team` at the dots that no backslash precedes. */
export function splitFieldPath(path: string): FieldPathParts {
  return path.split(/(?<!\\)\./).map((part) => part.replaceAll(String.raw`\.`, '.'));
}

/** Changes a copy of a JSON object; copies only the objects on the paths that change. */
export class ObjectEditor {
  readonly result: JsonObject;
  private readonly copies = new Set<object>();

  constructor(object: JsonObject) {
    this.result = this.copy(object);
  }

  delete(path: FieldPathParts): void {
    const parent = valueAt(this.result, path.slice(0, -1));
    const last = path.at(-1) ?? '';
    if (isJsonObject(parent) && Object.hasOwn(parent, last)) Reflect.deleteProperty(this.ownParent(path) ?? {}, last);
  }

  /** Adds the objects above the field that are missing. Has no effect where a value above it is not an object. */
  set(path: FieldPathParts, value: unknown): void {
    const parent = this.ownParent(path);
    if (parent) setMember(parent, path.at(-1) ?? '', value);
  }

  /** Removes an object without members. */
  deleteIfEmpty(path: FieldPathParts): void {
    const value = valueAt(this.result, path);
    if (isJsonObject(value) && Object.keys(value).length === 0) this.delete(path);
  }

  private ownParent(path: FieldPathParts): JsonObject | undefined {
    let parent = this.result;
    for (const part of path.slice(0, -1)) {
      const member = ownMember(parent, part);
      if (member !== undefined && !isJsonObject(member)) return undefined;
      const own = member && this.copies.has(member) ? member : this.copy(member ?? {});
      if (own !== member) setMember(parent, part, own);
      parent = own;
    }
    return parent;
  }

  private copy(object: JsonObject): JsonObject {
    const copy: JsonObject = {};
    for (const key of Object.keys(object)) setMember(copy, key, object[key]);
    this.copies.add(copy);
    return copy;
  }
}
