import { kindKey, type KindLike, type KindRef } from '../../api/kinds/kind-ref.js';
import type { Verb } from '../../api/access/policy-rule.js';
import { nearest } from '../../base/nearest.js';
import { DEPENDENT, type DependentEntry, type DependentOptions } from '../decorators/dependent.js';
import type { Diagnostics } from '../diagnostics.js';
import { inheritedMetadata } from '../metadata.js';
import { referenceOf } from './foreign-declaration.js';

/** A `@Dependent` method of a class. */
export interface DependentModel {
  readonly method: string;
  readonly kind: KindRef;
  readonly options: DependentOptions;
}

type Report = (problem: string, hint: string) => void;

/** The verbs of applying, creating, watching and deleting dependent objects. */
export const DEPENDENT_VERBS: readonly Verb[] = ['get', 'list', 'watch', 'create', 'patch', 'delete'];

/** Pairs of options that contradict each other, with the reason. */
const CONTRADICTIONS: readonly (readonly [keyof DependentOptions, keyof DependentOptions, string])[] = [
  ['observeOnly', 'createOnly', 'nothing is written'],
  ['observeOnly', 'recreate', 'nothing is written'],
  ['observeOnly', 'configHash', 'nothing is written'],
  ['observeOnly', 'onDelete', 'nothing is deleted'],
  ['observeOnly', 'deleteWhen', 'nothing is deleted'],
  ['observeOnly', 'optional', 'a kind that is observed may be missing'],
  ['createOnly', 'recreate', 'existing objects are never changed'],
  ['createOnly', 'configHash', 'existing objects are never changed'],
  ['onDelete', 'deleteWhen', 'nothing is deleted'],
  ['onDelete', 'recreate', 'nothing is deleted'],
];

/** The `@Dependent` methods of a class in source order, those of its base classes first. */
export function dependentsOf(
  target: abstract new (...args: never[]) => object,
  owner: KindRef,
  diagnostics: Diagnostics,
): DependentModel[] {
  const entries = inheritedMetadata(DEPENDENT, target);
  const reporter =
    ({ method }: DependentEntry): Report =>
    (problem, hint) => {
      diagnostics.add({ target, member: method }, `@Dependent: ${problem}`, hint);
    };
  const names = entries.map(({ method }) => method);
  const found = entries.flatMap((entry, index) => {
    const report = reporter(entry);
    collectMethod(target, entry, report);
    if (names.indexOf(entry.method) !== index)
      report('the method is decorated twice', 'use a separate method for each kind');
    collectNames(entry, names, report);
    collectContradictions(entry, report);
    const kind = kindOf(entry, owner, report);
    collectOptional(entry, owner, entries, report);
    return kind ? [{ method: entry.method, kind, options: entry.options }] : [];
  });
  const cycle = cycleIn(entries);
  const [first] = cycle;
  if (first) reporter(first)(`dependsOn has a cycle: ${pathOf(cycle)}`, 'remove one of these names from dependsOn');
  return found;
}

/** Returns true if dependent objects have to be deleted in order before their owner. */
export function hasOrderedDeletion(target: abstract new (...args: never[]) => object): boolean {
  return inheritedMetadata(DEPENDENT, target).some(({ options }) => options.deleteWhen !== undefined);
}

function collectMethod(target: abstract new (...args: never[]) => object, entry: DependentEntry, report: Report): void {
  const { method, isStatic } = entry;
  const member = (target.prototype as Record<string, unknown>)[method];
  if (isStatic) report('must not be on a static method', `remove static from ${method}`);
  else if (typeof member !== 'function') report('must be on a method', `@Dependent(…) ${method}(ctx: Context)`);
  else if (method === 'reconcile' || method === 'deleted')
    report(`must not be on ${method}`, 'use a method of another name');
  else if (member.length > 1) report('the method has more parameters than the context', `${method}(ctx: Context)`);
}

function collectNames({ method, options }: DependentEntry, names: readonly string[], report: Report): void {
  for (const name of options.dependsOn ?? []) {
    if (names.includes(name)) continue;
    const others = names.filter((other) => other !== method);
    const meant = nearest(name, others);
    const hint = meant === undefined ? `one of: ${others.join(', ')}` : `dependsOn: ['${meant}']`;
    report(
      `dependsOn names "${name}", which is not a @Dependent method`,
      others.length > 0 ? hint : 'remove dependsOn: the class has no other @Dependent method',
    );
  }
}

function collectContradictions({ options }: DependentEntry, report: Report): void {
  const { recreate = 'immutable', onDelete = 'keep' } = options as {
    readonly recreate?: string;
    readonly onDelete?: string;
  };
  if (recreate !== 'immutable') report(`recreate "${recreate}" is not "immutable"`, `recreate: 'immutable'`);
  if (onDelete !== 'keep') report(`onDelete "${onDelete}" is not "keep"`, `onDelete: 'keep'`);
  const isSet = (option: keyof DependentOptions): boolean => options[option] !== undefined && options[option] !== false;
  for (const [first, second, reason] of CONTRADICTIONS)
    if (isSet(first) && isSet(second))
      report(`${second} has no effect with ${first}: ${reason}`, `remove ${first} or ${second}`);
}

/** The kind of a class is one cache, for which the controller either waits or does not. */
function collectOptional(
  { kind: given, options, method }: DependentEntry,
  owner: KindRef,
  entries: readonly DependentEntry[],
  report: Report,
): void {
  if (options.optional !== true) return;
  const keyOfKind = (kind: KindLike): string | undefined => {
    const reference = referenceOf(kind);
    return reference && kindKey(reference);
  };
  const key = keyOfKind(given);
  if (key === undefined) return; // reported by kindOf
  if (key === kindKey(owner)) report('the kind of the class itself cannot be optional', 'remove optional');
  const required = entries.find((other) => other.options.optional !== true && keyOfKind(other.kind) === key);
  if (required)
    report(
      `${method} is optional, and ${required.method} of the same kind is not`,
      `set optional: true for ${required.method} too, or for neither`,
    );
}

function kindOf({ kind: given }: DependentEntry, owner: KindRef, report: Report): KindRef | undefined {
  const isGiven = (given as unknown) !== undefined && (given as unknown) !== null;
  const kind = isGiven ? referenceOf(given) : undefined;
  if (!kind) {
    report('the first argument is not a kind', 'a kind of Kubernetes such as Deployment, or a class with @Kind');
    return undefined;
  }
  if (kind.part)
    report(`${kind.kind} is a part of a kind, which cannot be applied`, `@Dependent(${kind.kind}) without partOf`);
  if (owner.scope === 'Namespaced' && kind.scope === 'Cluster')
    report(
      `a namespaced object cannot own a cluster-scoped ${kind.kind}`,
      `@Kind({ …, scope: 'Cluster' }), or apply it in reconcile and delete it in a @Finalizer method`,
    );
  return kind;
}

/** The methods of a cycle, in which each depends on the next one and the last on the first; empty without a cycle. */
function cycleIn(entries: readonly DependentEntry[]): readonly DependentEntry[] {
  const byName = new Map(entries.map((entry) => [entry.method, entry]));
  const done = new Set<string>();
  const follow = (entry: DependentEntry, path: readonly DependentEntry[]): readonly DependentEntry[] => {
    const start = path.indexOf(entry);
    if (start >= 0) return path.slice(start);
    if (done.has(entry.method)) return [];
    for (const name of entry.options.dependsOn ?? []) {
      const next = byName.get(name);
      const cycle = next ? follow(next, [...path, entry]) : [];
      if (cycle.length > 0) return cycle;
    }
    done.add(entry.method);
    return [];
  };
  for (const entry of byName.values()) {
    const cycle = follow(entry, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}

function pathOf(cycle: readonly DependentEntry[]): string {
  return [...cycle, ...cycle.slice(0, 1)].map(({ method }) => method).join(' → ');
}
