import type { KubeObject } from '../../api/objects/kube-object.js';
import { isJsonObject, objectAt, type JsonObject } from '../../base/json-object.js';
import { stringifyJson } from '../../base/json.js';
import type { ObjectText } from '../plan/plan.js';
import type { History, Snapshot } from '../record/history.js';
import { canonicalNames, plainText, type CanonicalNames } from './canonical-names.js';
import { canonicalObject } from './canonical-object.js';

/** An object of a snapshot, in canonical form and as it is. */
export interface CanonicalEntry {
  /** Spelling of a generated name without numbers: `Pod of ReplicaSet of Deployment default/a`. */
  readonly group: string;
  readonly object: KubeObject;
  readonly canonical: JsonObject;
}

/** Fields that are recorded about a run, derived from other objects, or kept as history. */
const LEFT_OUT = new Set(['Event', 'Lease', 'ControllerRevision', 'Endpoints', 'EndpointSlice']);

/**
 * The objects of a snapshot in canonical form, by canonical name.
 *
 * Only objects that changed during the run are converted; the others when they are looked up.
 */
export class CanonicalState {
  private readonly changed = new Map<ObjectText, CanonicalEntry>();
  private readonly others = new Map<ObjectText, KubeObject>();

  constructor(
    touched: ReadonlySet<string>,
    snapshot: Snapshot,
    private readonly names: CanonicalNames,
  ) {
    const groups = new Map<string, CanonicalEntry[]>();
    for (const object of snapshot.objects) {
      if (!isCompared(object)) continue;
      const { uid = '' } = object.metadata;
      if (!touched.has(uid)) {
        this.others.set(objectText(object), object);
        continue;
      }
      const entry = this.entry(object);
      if (!names.isGenerated(uid)) this.changed.set(entry.group, entry);
      else groups.set(entry.group, [...(groups.get(entry.group) ?? []), entry]);
    }
    for (const [group, entries] of groups) this.addGroup(group, entries);
  }

  /** The names of all objects that changed during the run and exist. */
  texts(): Iterable<ObjectText> {
    return this.changed.keys();
  }

  get(text: ObjectText): CanonicalEntry | undefined {
    const other = this.others.get(text);
    return this.changed.get(text) ?? (other && this.entry(other));
  }

  private entry(object: KubeObject): CanonicalEntry {
    const { kind = '', metadata } = object;
    const group = this.names.groupText({ kind, namespace: metadata.namespace, name: metadata.name }, metadata.uid);
    return { group, object, canonical: canonicalObject(object, this.names) };
  }

  /** Numbers objects in one role by content, because the order of their creation has no meaning. */
  private addGroup(group: string, entries: readonly CanonicalEntry[]): void {
    const [kind = '', ...rest] = group.split(' of ');
    const contents = entries.map((entry) => ({ entry, content: stringifyJson(entry.canonical) }));
    contents
      .sort((a, b) => (a.content < b.content ? -1 : 1))
      .forEach(({ entry }, index) => {
        this.changed.set(`${kind} ${String(index + 1)} of ${rest.join(' of ')}`, entry);
      });
  }
}

/** Returns the canonical state of a snapshot of the run; computed once for each snapshot. */
export function canonicalState(history: History, snapshot: Snapshot): CanonicalState {
  let state = known.get(snapshot);
  if (!state) {
    const touched = new Set(history.commits.map(({ uid }) => uid));
    known.set(snapshot, (state = new CanonicalState(touched, snapshot, canonicalNames(history))));
  }
  return state;
}

const known = new WeakMap<Snapshot, CanonicalState>();

/** Returns the name of an object as in plans, with its generated parts. */
export function objectText({ kind = '', metadata: { namespace, name } }: KubeObject): ObjectText {
  return plainText({ kind, namespace, name });
}

function isCompared(object: KubeObject): boolean {
  return !LEFT_OUT.has(object.kind ?? '') && !isFormerReplicaSet(object);
}

/** How many former ReplicaSets exist depends on which states of the Deployment its controller has seen. */
function isFormerReplicaSet(object: KubeObject): boolean {
  if (object.kind !== 'ReplicaSet' || !object.metadata.ownerReferences?.some(({ kind }) => kind === 'Deployment'))
    return false;
  const replicas = isJsonObject(object) ? objectAt(object, 'spec')['replicas'] : undefined;
  return replicas === 0;
}
