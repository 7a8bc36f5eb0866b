import { setMember } from '../../base/set-member.js';
import { isJsonObject, type JsonObject } from '../objects/api-object.js';
import type { MergeType } from '../schema/merge-type.js';
import { DIRECTIVE, unknownDirective, withoutDirectives } from './merge-directives.js';
import { mergeList, orderedList } from './merge-lists.js';
import { dropNulls } from './without-nulls.js';
import { listField, memberType, strategyOf } from './patch-strategy.js';
import { badRequest } from '../errors/status-error.js';

const DELETE_LIST = '$deleteFromPrimitiveList/';
const ORDER = '$setElementOrder/';

/**
 * Applies Kubernetes' strategic merge patch: lists are merged by the merge keys of the type. Modifies both maps:
 * directives are removed from the patch, as in Go.
 */
export function strategicMergePatch(type: MergeType, target: JsonObject, patch: JsonObject): JsonObject {
  return mergeMap(type, target, patch);
}

function mergeMap(type: MergeType, target: JsonObject, patch: JsonObject): JsonObject {
  if (Object.hasOwn(patch, DIRECTIVE)) return directed(patch);
  retainKeys(target, patch, [DELETE_LIST, ORDER]);
  for (const [key, order] of Object.entries(patch))
    if (key.startsWith(ORDER)) mergeOrdered(type, target, patch, order, key);
  for (const [key, value] of Object.entries(patch)) mergeMember(type, target, key, value);
  return target;
}

/** Applies a directive for the whole map. */
function directed(patch: JsonObject): JsonObject {
  const directive = patch[DIRECTIVE];
  if (directive === 'delete') return {};
  if (directive !== 'replace') throw unknownDirective(directive, patch);
  Reflect.deleteProperty(patch, DIRECTIVE);
  return patch;
}

/** Merges the list that an order directive refers to, if it exists, and removes it from the patch. */
function mergeOrdered(type: MergeType, target: JsonObject, patch: JsonObject, order: unknown, directive: string): void {
  Reflect.deleteProperty(patch, directive);
  const name = directive.slice(ORDER.length);
  const given = { order, present: target[name], patch: patch[name] };
  const merged = orderedList(() => listField(type, name), given, mergeMap);
  if (merged === undefined) return;
  setMember(target, name, merged);
  Reflect.deleteProperty(patch, name);
}

function mergeMember(type: MergeType, target: JsonObject, key: string, value: unknown): void {
  const isDeletion = key.startsWith(DELETE_LIST);
  const name = isDeletion ? key.slice(DELETE_LIST.length) : key;
  const present = target[name];
  if (value === null) Reflect.deleteProperty(target, name);
  else if (isJsonObject(present) && isJsonObject(value)) target[name] = mergeMaps(type, name, present, value);
  else if (Array.isArray(present) && Array.isArray(value)) {
    const field = listField(type, name);
    target[name] = mergeList(field, { present, patch: value as unknown[], isDeletion }, mergeMap);
  } else if (!isDeletion) takeMember(target, name, value);
}

function mergeMaps(type: MergeType, name: string, present: JsonObject, patch: JsonObject): JsonObject {
  const member = memberType(type, name);
  return strategyOf(member) === 'replace' ? patch : mergeMap(member, present, patch);
}

/** Sets a new member to the patch's value; a value with a directive removes the member. */
function takeMember(target: JsonObject, name: string, value: unknown): void {
  dropNulls(value);
  const [kept] = withoutDirectives([value]);
  if (kept === undefined) Reflect.deleteProperty(target, name);
  else setMember(target, name, kept);
}

const RETAIN = '$retainKeys';

/**
 * Removes the members that `$retainKeys` does not list, in place.
 * @param prefixes of directives for members
 */
function retainKeys(target: JsonObject, patch: JsonObject, prefixes: readonly string[]): void {
  if (!Object.hasOwn(patch, RETAIN)) return;
  const keys = patch[RETAIN];
  Reflect.deleteProperty(patch, RETAIN);
  if (!Array.isArray(keys)) throw malformed();
  for (const [key, value] of Object.entries(patch)) {
    const isDirective = prefixes.some((prefix) => key.startsWith(prefix));
    if (value !== null && !isDirective && !keys.includes(key)) throw malformed();
  }
  for (const key of Object.keys(target)) if (!keys.includes(key)) Reflect.deleteProperty(target, key);
}

function malformed(): Error {
  return badRequest('invalid patch format of retainKeys');
}
