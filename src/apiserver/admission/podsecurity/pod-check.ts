import { eachObject } from '../../objects/api-object.js';
import { isJsonObject, objectAt, stringAt, type JsonObject } from '../../objects/api-object.js';

/** A pod, or the template of one. */
export interface CheckedPod {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: JsonObject;
}

/** What is not allowed of a pod, and where it says so. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

export type PodCheck = (pod: CheckedPod) => Violation | undefined;

/** A check of the Pod Security Standards, from each minor version on at which it changed. */
export interface VersionedCheck {
  readonly id: string;
  readonly versions: readonly (readonly [since: number, check: PodCheck])[];
  /** The check of the baseline that this one makes more strictly. */
  readonly overrides?: string;
}

/** All containers in the order the real server goes through them. */
export function containersOf(spec: JsonObject): JsonObject[] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((field) => eachObject(spec[field]));
}

export function contextOf(owner: JsonObject): JsonObject {
  return objectAt(owner, 'securityContext');
}

/** `container "a"`, `containers "a", "b"`. */
export function named(noun: string, names: readonly string[]): string {
  return `${plural(noun, names.length)} ${quoted(names)}`;
}

export function namesOf(members: readonly JsonObject[]): string[] {
  return members.map((member) => stringAt(member, 'name'));
}

export function plural(noun: string, count: number): string {
  return count === 1 ? noun : `${noun}s`;
}

export function quoted(texts: readonly string[]): string {
  return texts.map((text) => `"${text}"`).join(', ');
}

/** Without repetition, in order. */
export function sorted(texts: Iterable<string>): string[] {
  return [...new Set(texts)].sort();
}

/** The pod and those of its containers that say what they must not; empty if none does. */
export function settersOf(spec: JsonObject, isBad: (context: JsonObject) => boolean): string[] {
  const containers = containersOf(spec).filter((container) => isBad(contextOf(container)));
  return [
    ...(isBad(contextOf(spec)) ? ['pod'] : []),
    ...(containers.length > 0 ? [named('container', namesOf(containers))] : []),
  ];
}

/** The values of a member of the security contexts of a pod and of its containers, where there is one. */
export function contextsWith(spec: JsonObject, member: string): JsonObject[] {
  return [spec, ...containersOf(spec)].map((owner) => contextOf(owner)[member]).filter(isJsonObject);
}

export function isWindows(spec: JsonObject): boolean {
  return stringAt(objectAt(spec, 'os'), 'name') === 'windows';
}

/** A pod in a user namespace of its own, for which some checks are let off. */
export function hasOwnUsers(spec: JsonObject): boolean {
  return spec.hostUsers === false;
}
