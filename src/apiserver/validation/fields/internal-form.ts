import { ownMember } from '../../../base/own-member.js';
import { deepEqual } from '../../../base/deep-equal.js';
import { escapeHtml } from '../../../base/go-json.js';
import { canonicalQuantity } from '../../../api/schema/quantity.js';
import { kubernetesData } from '../../data/data-file.js';
import { isJsonObject, objectAt, type JsonObject } from '../../objects/api-object.js';
import { encodeGo } from '../../schema/encode-go.js';
import { inOrder } from './object-meta.js';
import { difflibDiff } from './difflib-diff.js';

const ZERO: Readonly<Record<string, unknown>> = { string: '', bool: false, Time: null, JSON: null, RawExtension: null };
const MAP = 'map[string]';
/** Fields that have another name in the server's internal types. */
const RENAMED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'core.GlusterfsVolumeSource': { EndpointsName: 'endpoints' },
  'core.RBDVolumeSource': { CephMonitors: 'monitors', RBDImage: 'image', RBDPool: 'pool', RadosUser: 'user' },
  'core.ISCSIVolumeSource': { DiscoveryCHAPAuth: 'chapAuthDiscovery', SessionCHAPAuth: 'chapAuthSession' },
  'core.AzureDiskVolumeSource': { DataDiskURI: 'diskURI' },
};
/** Members of a pod's spec that the server's internal type has in the security context. */
const OF_SECURITY_CONTEXT = ['hostNetwork', 'hostPID', 'hostIPC', 'shareProcessNamespace', 'hostUsers'];

/**
 * Converts a value to the JSON of the server's internal type (`core.PodSpec`), as quoted in errors: with Go's field
 * names and all fields present.
 */
export function internalForm(type: string, value: unknown): unknown {
  if (type.startsWith('*')) return isAbsent(value) ? null : internalForm(type.slice(1), value);
  if (type.startsWith('[]')) return listForm(type.slice(2), value);
  if (type.startsWith(MAP)) return isJsonObject(value) ? mapForm(type.slice(MAP.length), value) : null;
  return leafForm(type, value);
}

function listForm(type: string, value: unknown): unknown[] | null {
  return Array.isArray(value) ? value.map((item) => internalForm(type, item)) : null;
}

function leafForm(type: string, value: unknown): unknown {
  if (kubernetesData.internalTypes[type]) return structForm(type, objectAt({ value }, 'value'));
  if (type === 'Quantity') return canonicalQuantity(value) ?? '0';
  if (type === 'ObjectMeta' || type === 'LabelSelector')
    return withOrderedMaps(isJsonObject(value) ? encodeGo(`meta/v1.${type}`, value) : value);
  if (!isAbsent(value)) return value;
  return Object.hasOwn(ZERO, type) ? ownMember(ZERO, type) : 0;
}

/** Returns the difference of two values of an internal type: apimachinery's diff.Diff. */
export function internalDiff(type: string, old: unknown, next: unknown): string {
  const [former, later] = [old, next].map((value) => escapeHtml(JSON.stringify(internalForm(type, value), null, 1)));
  return difflibDiff(former ?? '', later ?? '');
}

/**
 * Reports whether two values of an internal type are equal, where empty and missing lists and maps are equal:
 * Semantic.DeepEqual.
 */
export function internalEqual(type: string, a: unknown, b: unknown): boolean {
  return deepEqual(withoutEmpty(internalForm(type, a)), withoutEmpty(internalForm(type, b)));
}

/** A struct has all its fields and is therefore never treated as an empty map. */
function withoutEmpty(form: unknown): unknown {
  if (Array.isArray(form)) return form.length === 0 ? null : form.map(withoutEmpty);
  if (!isJsonObject(form)) return form;
  const members = Object.entries(form);
  return members.length === 0
    ? null
    : Object.fromEntries(members.map(([name, member]) => [name, withoutEmpty(member)]));
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

function mapForm(type: string, value: JsonObject): JsonObject {
  const entries = Object.entries(value).map(([key, item]) => [key, internalForm(type, item)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function structForm(type: string, value: JsonObject): JsonObject {
  const given = type === 'core.PodSpec' ? withSecurityContext(value) : value;
  // Go's names differ from those in JSON only in case.
  const members = new Map(Object.entries(given).map(([key, item]) => [key.toLowerCase(), item]));
  const form: JsonObject = {};
  const renamed = ownMember(RENAMED, type) ?? {};
  for (const { n: name, t: inner } of kubernetesData.internalTypes[type]?.fields ?? []) {
    if (name !== '') form[name] = internalForm(inner, members.get((renamed[name] ?? name).toLowerCase()));
    else Object.assign(form, internalForm(inner, inner === 'ObjectMeta' ? given.metadata : given));
  }
  return form;
}

function withSecurityContext(spec: JsonObject): JsonObject {
  const moved = Object.fromEntries(OF_SECURITY_CONTEXT.map((name) => [name, spec[name]]));
  return { ...spec, securityContext: { ...objectAt(spec, 'securityContext'), ...moved } };
}

function withOrderedMaps(value: unknown): JsonObject {
  const form: JsonObject = isJsonObject(value) ? { ...value } : {};
  for (const name of ['labels', 'annotations', 'matchLabels'])
    if (isJsonObject(form[name])) form[name] = inOrder(form[name]);
  return form;
}
