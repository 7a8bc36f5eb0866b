import type { KubeObject } from '../../api/objects/kube-object.js';
import type { ObjectText } from '../plan/plan.js';
import type { History, ObjectRef } from '../record/history.js';

/** A reference with at least what the names of objects depend on. */
export type NamedRef = Pick<ObjectRef, 'kind' | 'namespace'> & { readonly name?: string | undefined };

/** An object as it was when it was first seen. */
interface Birth {
  readonly uid: string;
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly ownerUid: string | undefined;
  /** For generated names: what precedes the generated part. */
  readonly prefix: string | undefined;
}

/**
 * The names of the objects of a run without what chance decides: generated names are replaced by the role of the object.
 *
 * Objects with a fixed name are spelled `Secret default/a-tls`; generated ones `Pod 2 of ReplicaSet 1 of Deployment default/a`,
 * numbered in the order of their creation.
 */
export class CanonicalNames {
  private readonly births = new Map<string, Birth>();
  private readonly latest = new Map<string, Birth>();
  private readonly numbers = new Map<string, number>();
  private pattern: RegExp | undefined;
  private readonly replacements = new Map<string, string>();

  constructor(history: History) {
    const counts = new Map<string, number>();
    for (const { object, isMade } of firstStates(history)) {
      const birth = birthOf(object, isMade);
      if (!birth || this.births.has(birth.uid)) continue;
      this.births.set(birth.uid, birth);
      this.latest.set(plainText(birth), birth);
      if (birth.prefix === undefined) continue;
      const group = this.group(birth.uid);
      const number = (counts.get(group) ?? 0) + 1;
      counts.set(group, number);
      this.numbers.set(birth.uid, number);
      this.replacements.set(birth.name, group);
    }
    for (const { uid } of this.births.values()) this.replacements.set(uid, `uid of ${this.group(uid)}`);
  }

  /** The name of one object. Without a uid, the latest object of the name is meant. */
  text(ref: NamedRef, uid?: string): ObjectText {
    const birth = this.find(ref, uid);
    if (!birth) return plainText(ref);
    const number = this.numbers.get(birth.uid);
    return number === undefined ? plainText(birth) : `${birth.kind} ${String(number)} of ${this.parent(birth, true)}`;
  }

  /** The name of an object and all others in its role: `Pod of ReplicaSet of Deployment default/a`. */
  groupText(ref: NamedRef, uid?: string): string {
    const birth = this.find(ref, uid);
    return birth ? this.group(birth.uid) : plainText(ref);
  }

  isGenerated(uid: string): boolean {
    return this.numbers.has(uid);
  }

  /** Replaces generated names and uids within a string by roles. */
  replaceIn(text: string): string {
    if (text.length < 5) return text;
    const whole = this.replacements.get(text);
    if (whole !== undefined) return `<${whole}>`;
    this.pattern ??= anyOf([...this.replacements.keys()]);
    return text.replace(this.pattern, (found) => `<${this.replacements.get(found) ?? found}>`);
  }

  private find(ref: NamedRef, uid: string | undefined): Birth | undefined {
    return uid === undefined ? this.latest.get(plainText(ref)) : this.births.get(uid);
  }

  private group(uid: string): string {
    const birth = this.births.get(uid);
    if (!birth) return 'unknown object';
    return birth.prefix === undefined ? plainText(birth) : `${birth.kind} of ${this.parent(birth, false)}`;
  }

  private parent({ ownerUid, namespace, prefix = '' }: Birth, isNumbered: boolean): string {
    const owner = ownerUid === undefined ? undefined : this.births.get(ownerUid);
    if (!owner) return `${namespace === undefined ? '' : `${namespace}/`}${prefix}*`;
    return isNumbered ? this.text(owner, owner.uid) : this.group(owner.uid);
  }
}

/** Returns the canonical names of a run; computed once for each history. */
export function canonicalNames(history: History): CanonicalNames {
  let names = known.get(history);
  if (!names) known.set(history, (names = new CanonicalNames(history)));
  return names;
}

const known = new WeakMap<History, CanonicalNames>();

/** The name of an object in words, with generated parts: `Deployment default/web`, `Node node-1`. */
export function plainText({ kind, namespace, name = '*' }: NamedRef): ObjectText {
  return `${kind} ${namespace === undefined || namespace === '' ? '' : `${namespace}/`}${name}`;
}

interface FirstState {
  readonly object: KubeObject;
  /** Created during the run by the operator or a built-in controller. */
  readonly isMade: boolean;
}

/** The objects of a run, each in its first known state, in the order of their creation. */
function firstStates({ commits, calm }: History): FirstState[] {
  const touched = new Set(commits.map(({ uid }) => uid));
  const created = new Set(commits.filter(({ verb }) => verb === 'create').map(({ uid }) => uid));
  const untouched = calm.objects.filter(({ metadata }) => !touched.has(metadata.uid ?? ''));
  const given = commits.flatMap(({ uid, before }) => (before && !created.has(uid) ? [before] : []));
  return [
    ...[...untouched, ...given].map((object) => ({ object, isMade: false })),
    ...commits.flatMap(({ verb, after, actor }) =>
      after && verb === 'create' ? [{ object: after, isMade: ['operator', 'controller'].includes(actor.type) }] : [],
    ),
  ];
}

function birthOf({ kind = '', metadata }: KubeObject, isMade: boolean): Birth | undefined {
  const { uid, name, namespace, generateName, ownerReferences = [] } = metadata;
  if (uid === undefined) return undefined;
  const owner = ownerReferences.find(({ controller }) => controller === true) ?? ownerReferences[0];
  const prefix = isMade ? generatedPrefix(kind, name, generateName, owner?.kind) : undefined;
  return { uid, kind, namespace, name, ownerUid: owner?.uid, prefix };
}

/** Kinds with names that a built-in controller derives from a hash or the time. */
const DERIVED_NAMES = new Map([
  ['ReplicaSet', 'Deployment'],
  ['Job', 'CronJob'],
]);
/** The API server cuts what precedes the 5 characters that it generates. */
const LONGEST_GENERATE_NAME = 58;
const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

function generatedPrefix(kind: string, name: string, generateName = '', ownerKind = ''): string | undefined {
  if (generateName !== '' && name.startsWith(generateName.slice(0, LONGEST_GENERATE_NAME))) return generateName;
  const uid = UID.exec(name);
  if (uid) return name.slice(0, uid.index);
  const [last = ''] = name.split('-').slice(-1);
  const isRandom = DERIVED_NAMES.get(kind) === ownerKind || looksRandom(last);
  return isRandom && ownerKind !== 'StatefulSet' ? name.slice(0, name.length - last.length) : undefined;
}

/** Digits between letters are hardly chosen by a person: `x7k2p`, `1f8a09`; but `v1beta1` is. */
function looksRandom(text: string): boolean {
  if (!/^[0-9a-z]{5,}$/.test(text) || /^v\d+(alpha|beta)\d+$/.test(text)) return false;
  return /\d[a-z]/.test(text) || (/^[0-9a-f]{8,}$/.test(text) && /\d/.test(text)) || /^\d{6,}$/.test(text);
}

function anyOf(texts: string[]): RegExp {
  const sorted = texts.filter((text) => text.length >= 5).sort((a, b) => b.length - a.length);
  return sorted.length === 0
    ? /(?!)/
    : new RegExp(sorted.map((text) => text.replace(/[^\w-]/g, '\\$&')).join('|'), 'g');
}
