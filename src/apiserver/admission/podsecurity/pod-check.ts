import { eachObject, isJsonObject, objectAt, stringAt, type JsonObject } from '../../objects/api-object.js';

/** A pod or pod template. */
export interface CheckedPod {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: JsonObject;
}

/** A violation of a check and the fields that cause it. */
export interface PodViolation {
  readonly reason: string;
  readonly detail: string;
}

export type PodCheck = (pod: CheckedPod) => PodViolation | undefined;

/** A check of the Pod Security Standards, by the minor version from which it applies. */
export interface VersionedCheck {
  readonly id: string;
  readonly versions: readonly (readonly [since: number, check: PodCheck])[];
  /** The baseline check that this one replaces with a stricter form. */
  readonly overrides?: string;
}

/** Returns all containers in the real server's order. */
export function containersOf(spec: JsonObject): JsonObject[] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((field) => eachObject(spec[field]));
}

export function contextOf(owner: JsonObject): JsonObject {
  return objectAt(owner, 'securityContext');
}

/** Formats names with their noun: `container "a"`, `containers "a", "b"`. */
export function named(noun: string, names: readonly string[]): string {
  return `${plural(noun, names.length)} ${quotedNames(names)}`;
}

export function namesOf(members: readonly JsonObject[]): string[] {
  return members.map((member) => stringAt(member, 'name'));
}

export function plural(noun: string, count: number): string {
  return count === 1 ? noun : `${noun}s`;
}

export function quotedNames(texts: readonly string[]): string {
  return texts.map((text) => `"${text}"`).join(', ');
}

/** Returns the distinct texts in order. */
export function sorted(texts: Iterable<string>): string[] {
  return [...new Set(texts)].sort();
}

/** Returns the pod and containers with a security context that violates a rule; empty if none does. */
export function settersOf(spec: JsonObject, isBad: (context: JsonObject) => boolean): string[] {
  const containers = containersOf(spec).filter((container) => isBad(contextOf(container)));
  return [
    ...(isBad(contextOf(spec)) ? ['pod'] : []),
    ...(containers.length > 0 ? [named('container', namesOf(containers))] : []),
  ];
}

/** Returns the values of a field in the security contexts of a pod and its containers, where set. */
export function contextsWith(spec: JsonObject, member: string): JsonObject[] {
  return [spec, ...containersOf(spec)].map((owner) => contextOf(owner)[member]).filter(isJsonObject);
}

export function isWindows(spec: JsonObject): boolean {
  return stringAt(objectAt(spec, 'os'), 'name') === 'windows';
}

/** Returns whether a pod has its own user namespace, which exempts it from some checks. */
export function hasOwnUsers(spec: JsonObject): boolean {
  return spec.hostUsers === false;
}
