import type { KubeObject } from '../../api/objects/kube-object.js';
import { canonicalNames, type CanonicalNames } from '../canonical/canonical-names.js';
import type { Actor, Commit, History, ObjectRef, ReconcileRecord } from '../record/history.js';

/** An object of the operator's own kinds, for which others exist. */
export interface Root {
  readonly uid: string;
  readonly object: Pick<ObjectRef, 'kind' | 'namespace' | 'name'>;
}

/** Facts about each object from the commits of a run, for several oracles. */
export class RunFacts {
  readonly names: CanonicalNames;
  private readonly commitsByUid = new Map<string, Commit[]>();
  private readonly roots = new Map<string, Root | undefined>();
  private readonly defined: ReadonlySet<string>;
  /** The uids of objects that others than the operator deleted with the propagation `Orphan`. */
  readonly orphaning = new Set<string>();

  constructor(readonly history: History) {
    this.names = canonicalNames(history);
    this.defined = new Set(history.definedKinds.flatMap((kind) => [kind, kind.replace(/\.$/, '')]));
    for (const commit of history.commits) {
      const commits = this.commitsByUid.get(commit.uid);
      if (commits) commits.push(commit);
      else this.commitsByUid.set(commit.uid, [commit]);
      if (isOrphaning(commit)) this.orphaning.add(commit.uid);
    }
  }

  /** The commits of one object, in order. */
  commitsOf(uid: string): readonly Commit[] {
    return this.commitsByUid.get(uid) ?? [];
  }

  uids(): Iterable<string> {
    return this.commitsByUid.keys();
  }

  /** The actor that created an object during the run; undefined for objects that existed before. */
  creatorOf(uid: string): Actor | undefined {
    const [first] = this.commitsOf(uid);
    return first?.verb === 'create' ? first.actor : undefined;
  }

  isMadeByOperator(uid: string): boolean {
    return this.creatorOf(uid)?.type === 'operator';
  }

  /** Returns whether one of the operator's classes defines the kind. */
  isDefined({ kind, group }: Pick<ObjectRef, 'kind' | 'group'>): boolean {
    return this.defined.has(group === '' ? kind : `${kind}.${group}`);
  }

  /**
   * The object of the operator's kinds to which an object belongs: by the reconcile that created it, by its owners, or, for
   * the claims of a StatefulSet, by its name.
   */
  rootOf(uid: string): Root | undefined {
    if (this.roots.has(uid)) return this.roots.get(uid);
    this.roots.set(uid, undefined); // ends cycles of owners
    const root = this.findRoot(uid);
    this.roots.set(uid, root);
    return root;
  }

  /** The uid of the object that a process knew when it began a reconcile; the latest of the name if it knew none. */
  ownUid({ object, own, at }: ReconcileRecord): string | undefined {
    const isOwn = (other: ObjectRef): boolean =>
      other.kind === object.kind && other.name === object.name && other.namespace === object.namespace;
    return own?.uid ?? this.history.commits.findLast((commit) => commit.at <= at && isOwn(commit.object))?.uid;
  }

  /** The object of the reconcile that caused a commit. */
  causeOf({ actor }: Commit): Root | undefined {
    const record = actor.reconcile === undefined ? undefined : this.history.reconciles[actor.reconcile];
    if (!record || !this.isDefined(record.object)) return undefined;
    const uid = this.ownUid(record);
    return uid === undefined ? undefined : { uid, object: record.object };
  }

  /**
   * Returns whether a commit creates or deletes an object with a generated name, or one of a number, in a reconcile that the
   * one before it has requested for a time: an operator that works by the clock does so more often in a longer run.
   */
  isTimed(commit: Commit): boolean {
    const { verb, actor, uid } = commit;
    const { reconciles } = this.history;
    const record = reconciles[actor.reconcile ?? -1];
    if ((verb === 'update' && !isEnding(commit)) || !record || !this.names.isGenerated(uid)) return false;
    const { controller, object, index } = record;
    const former = reconciles.findLast(
      (each) =>
        each.index < index &&
        each.controller === controller &&
        each.object.name === object.name &&
        each.object.namespace === object.namespace,
    );
    return former?.outcome === 'requeueAfter';
  }

  /**
   * Returns whether an object stays because others than the operator took its owner away, or deleted that with the
   * propagation `Orphan`: it has no owner since, or one that stays in the same way.
   */
  isOrphan({ metadata: { uid = '', ownerReferences = [] } }: KubeObject): boolean {
    const owners = ownerReferences.flatMap((owner) => this.commitsOf(owner.uid).at(-1)?.after ?? []);
    if (ownerReferences.length > 0) return owners.some((owner) => this.isOrphan(owner));
    return this.commitsOf(uid).some(({ actor: { type }, before, after }) => {
      const lost = after ? ownerUids(before).filter((owner) => !ownerUids(after).includes(owner)) : [];
      return type === 'controller'
        ? lost.some((owner) => this.orphaning.has(owner))
        : type !== 'operator' && lost.length > 0;
    });
  }

  private findRoot(uid: string): Root | undefined {
    const commits = this.commitsOf(uid);
    const [first] = commits;
    if (!first) return undefined;
    if (this.isDefined(first.object)) return { uid, object: first.object };
    const owners = commits.flatMap(({ before, after }) => ownerUids(after ?? before));
    for (const owner of owners) {
      const root = this.rootOf(owner);
      if (root) return root;
    }
    if (first.verb !== 'create') return undefined;
    if (first.actor.type === 'operator') return this.causeOf(first);
    return first.object.kind === 'PersistentVolumeClaim' ? this.rootOfClaim(first.object) : undefined;
  }

  private rootOfClaim({ name, namespace }: ObjectRef): Root | undefined {
    const set = this.history.commits.find(
      ({ object }) =>
        object.kind === 'StatefulSet' &&
        object.namespace === namespace &&
        new RegExp(`-${object.name}-\\d+$`).test(name),
    );
    return set && this.rootOf(set.uid);
  }
}

/** Returns the facts of a run; computed once for each history. */
export function runFacts(history: History): RunFacts {
  let facts = known.get(history);
  if (!facts) known.set(history, (facts = new RunFacts(history)));
  return facts;
}

const known = new WeakMap<History, RunFacts>();

/** Returns whether a commit deletes an object or begins its deletion. */
export function isEnding({ verb, before, after }: Commit): boolean {
  if (before?.metadata.deletionTimestamp !== undefined) return false;
  return verb === 'delete' || after?.metadata.deletionTimestamp !== undefined;
}

/** The finalizer of an object until its dependents have lost their references to it. */
const ORPHAN = 'orphan';

function isOrphaning({ actor, before, after }: Commit): boolean {
  if (actor.type === 'operator' || before?.metadata.finalizers?.includes(ORPHAN) === true) return false;
  return after?.metadata.finalizers?.includes(ORPHAN) === true;
}

/** Returns whether a fault of one of these names happened. */
export function hasFired({ fired }: History, ...names: readonly string[]): boolean {
  return fired.some(({ fault }) => names.includes(fault.fault));
}

/**
 * Returns the runs without faults in which the server gave the same answers to the user: other answers, such as a
 * conflict with an object that is still being deleted, make another workload.
 */
export function comparable(history: History, references: readonly History[]): readonly History[] {
  const answers = ({ steps }: History): string => steps.map(({ status }) => status ?? 0).join(' ');
  return references.filter((reference) => answers(reference) === answers(history));
}

function ownerUids(object: KubeObject | undefined): string[] {
  const owners = object?.metadata.ownerReferences ?? [];
  return owners.toSorted((a, b) => Number(b.controller === true) - Number(a.controller === true)).map(({ uid }) => uid);
}
