import { goQuoted } from '../../base/go-quoted.js';
import { isJsonObject } from '../objects/api-object.js';
import { goJson } from '../../base/go-json.js';
import { ownMember } from '../../base/own-member.js';
import { setMember } from '../../base/set-member.js';
import type { MergeList } from '../schema/merge-type.js';

/** A list item that does not allow merging its list by keys. */
export class ListItemError extends Error {}

/** Returns the path element of an item of a set or map list. */
export function listItemElement(list: MergeList, item: unknown): string {
  if (list.listType === 'set') return setElement(item);
  if (item === null) throw new ListItemError('associative list with keys may not have a null element');
  if (!isJsonObject(item)) throw new ListItemError('associative list with keys may not have non-map elements');
  const key: Record<string, unknown> = {};
  for (const name of [...list.keys].sort()) {
    const given = ownMember(item, name);
    const value = given === undefined ? keyDefault(list, name) : given;
    if (value !== undefined) setMember(key, name, value);
  }
  if (Object.keys(key).length === 0) throw new ListItemError(missingKeys(list));
  return `k:${goJson(key)}`;
}

function setElement(item: unknown): string {
  if (isJsonObject(item)) throw new ListItemError("associative list without keys has an element that's a map type");
  if (Array.isArray(item)) throw new ListItemError('not supported: associative list with lists as elements');
  if (item === null) throw new ListItemError("associative list without keys has an element that's an explicit null");
  return `v:${goJson(item)}`;
}

function missingKeys({ keys }: MergeList): string {
  const list = `[${keys.map((key) => goQuoted(key)).join(' ')}]`;
  return `associative list with keys has an element that omits all key fields ${list} (and doesn't have default values for any key fields)`;
}

function keyDefault(list: MergeList, name: string): unknown {
  return list.item.type === 'map' ? list.item.keyDefault(name) : undefined;
}

/** Returns the items by path element, in order; several items may have the same element. */
export function indexItems(list: MergeList, items: readonly unknown[]): Map<string, unknown[]> {
  return Map.groupBy(items, (item) => listItemElement(list, item));
}
