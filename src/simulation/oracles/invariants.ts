import { arrayAt, isJsonObject, objectAt, stringAt } from '../../base/json-object.js';
import { stringifyJson } from '../../base/json.js';
import type { KubeObject } from '../../api/objects/kube-object.js';
import type { Commit, History } from '../record/history.js';
import type { Alarm, Oracle } from './oracle.js';
import { runFacts, type RunFacts } from './run-facts.js';

/** The objects of the cluster at one moment of a run. */
export interface WorldView {
  /** Milliseconds of virtual time. */
  readonly at: number;
  /** All objects of a kind, such as `Pod`. */
  readonly list: (kind: string) => readonly KubeObject[];
}

/** Conditions of the user, by their descriptions. */
export interface Invariants {
  readonly always?: Readonly<Record<string, (world: WorldView) => boolean>>;
  readonly never?: Readonly<Record<string, (world: WorldView) => boolean>>;
  /** Must hold when nothing happens any more. */
  readonly eventually?: Readonly<Record<string, (world: WorldView) => boolean>>;
}

/** The conditions of the user hold, after each change or in the end. */
export function invariants({ always = {}, never = {}, eventually = {} }: Invariants = {}): Oracle {
  const rules = [
    ...Object.entries(always).map(([words, holds]) => ({ words, isBroken: (world: WorldView) => !holds(world) })),
    ...Object.entries(never).map(([words, holds]) => ({ words, isBroken: holds })),
  ];
  return {
    name: 'invariants',
    words: 'a condition of the test does not hold, or a pod runs with an env that has changed',
    judge(history) {
      const last = viewOf(
        new Map(history.calm.objects.map((object) => [object.metadata.uid, object])),
        history.calm.at,
      );
      return [
        ...(rules.length === 0 ? [] : brokenRules(history, rules)),
        ...Object.entries(eventually)
          .filter(([, holds]) => !holds(last))
          .map(([words]) => ({ oracle: 'invariants', reason: words, message: `in the end not: ${words}` })),
        ...staleEnvironments(history),
      ];
    },
  };
}

/** Returns which of the conditions held at some moment of the run. */
export function heldAtSomeMoment(history: History, rules: Required<Invariants>['always']): string[] {
  const open = new Map(Object.entries(rules));
  const held: string[] = [];
  for (const world of moments(history))
    for (const [words, holds] of open)
      if (holds(world)) {
        held.push(words);
        open.delete(words);
      }
  return held;
}

interface Rule {
  readonly words: string;
  readonly isBroken: (world: WorldView) => boolean;
}

function brokenRules(history: History, rules: readonly Rule[]): Alarm[] {
  const alarms = new Map<string, Alarm>();
  for (const world of moments(history))
    for (const { words, isBroken } of rules)
      if (!alarms.has(words) && isBroken(world))
        alarms.set(words, { oracle: 'invariants', reason: words, message: `does not hold: ${words}`, at: world.at });
  return [...alarms.values()];
}

/** The world after each commit. It is not copied: a view is valid until the next one. */
function* moments(history: History): Iterable<WorldView> {
  const commits = history.commits.filter(({ at }) => at <= history.calm.at);
  const objects = new Map<string | undefined, KubeObject>(
    history.calm.objects.map((object) => [object.metadata.uid, object]),
  );
  for (const { uid, before } of commits.toReversed()) set(objects, uid, before);
  yield viewOf(objects, 0);
  for (const { uid, after, at } of commits) {
    set(objects, uid, after);
    yield viewOf(objects, at);
  }
}

function viewOf(objects: ReadonlyMap<string | undefined, KubeObject>, at: number): WorldView {
  return { at, list: (kind) => [...objects.values()].filter((object) => object.kind === kind) };
}

function set(objects: Map<string | undefined, KubeObject>, uid: string, object: KubeObject | undefined): void {
  if (object) objects.set(uid, object);
  else objects.delete(uid);
}

/** Pods that run with the values of a ConfigMap or Secret of the operator that has changed since they were created. */
function staleEnvironments(history: History): Alarm[] {
  const facts = runFacts(history);
  const sources = [...facts.uids()].filter((uid) => {
    const [first] = facts.commitsOf(uid);
    return (
      first !== undefined && ['ConfigMap', 'Secret'].includes(first.object.kind) && facts.rootOf(uid) !== undefined
    );
  });
  if (sources.length === 0) return [];
  const pods = history.calm.objects.filter(
    ({ kind, metadata }) => kind === 'Pod' && metadata.deletionTimestamp === undefined,
  );
  return pods.flatMap((pod) => {
    const created = facts.commitsOf(pod.metadata.uid ?? '')[0];
    if (created?.verb !== 'create') return [];
    const names = environmentOf(pod);
    const stale = sources.find((uid) => {
      const [first] = facts.commitsOf(uid);
      const text = `${first?.object.kind ?? ''} ${first?.object.name ?? ''}`;
      return first?.object.namespace === pod.metadata.namespace && names.has(text) && hasChanged(facts, uid, created);
    });
    const source = stale === undefined ? undefined : facts.commitsOf(stale)[0];
    if (!source) return [];
    const object = facts.names.groupText(created.object, created.uid);
    const reason = `env of a former ${source.object.kind}`;
    const message = `${object} runs with env from ${facts.names.text(source.object)}, which has changed since it started`;
    return [{ oracle: 'invariants', object, reason, message }];
  });
}

function hasChanged(facts: RunFacts, uid: string, { index }: Commit): boolean {
  const commits = facts.commitsOf(uid);
  const data = (object: KubeObject | undefined): string =>
    stringifyJson([objectAt(object, 'data'), objectAt(object, 'binaryData')]);
  const then = commits.findLast((commit) => commit.index < index)?.after;
  const now = commits.at(-1)?.after;
  return then !== undefined && now !== undefined && data(then) !== data(now);
}

/** The ConfigMaps and Secrets from which the containers of a pod take their environment. */
function environmentOf(pod: KubeObject): ReadonlySet<string> {
  const spec = objectAt(pod, 'spec');
  const containers = [...arrayAt(spec, 'containers'), ...arrayAt(spec, 'initContainers')];
  const names = new Set<string>();
  const add = (kind: string, reference: unknown): void => {
    if (isJsonObject(reference)) names.add(`${kind} ${stringAt(reference, 'name')}`);
  };
  for (const container of containers) {
    for (const source of arrayAt(container, 'envFrom')) {
      add('ConfigMap', isJsonObject(source) ? source['configMapRef'] : undefined);
      add('Secret', isJsonObject(source) ? source['secretRef'] : undefined);
    }
    for (const variable of arrayAt(container, 'env')) {
      const from = objectAt(variable, 'valueFrom');
      add('ConfigMap', from['configMapKeyRef']);
      add('Secret', from['secretKeyRef']);
    }
  }
  return names;
}
