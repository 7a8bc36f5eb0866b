import { deepEqual } from '../../base/deep-equal.js';
import { changedFields, formatFieldPath, type FieldPath } from '../../base/changed-fields.js';
import type { JsonObject } from '../../base/json-object.js';
import { stringifyJson } from '../../base/json.js';
import { canonicalState, type CanonicalEntry } from '../canonical/canonical-state.js';
import { StateMask, stateDifferences, withoutNumbers, type StateDifference } from '../canonical/compare-states.js';
import { canonicalNames } from '../canonical/canonical-names.js';
import { canonicalObject } from '../canonical/canonical-object.js';
import type { History } from '../record/history.js';
import type { Alarm, Oracle } from './oracle.js';
import { comparable, hasFired, runFacts, type RunFacts } from './run-facts.js';
import { isApplied, isSetByOperator } from './written-fields.js';

/** Labels and annotations that faults add start with it. */
const OF_FAULTS = 'rival.example/';

/** Faults after which another state is right: foreign objects stay in the way, or the object of the user is gone. */
const LASTING = ['foreign', 'namespace', 'crd', 'delete-mid'];

/** The state after all faults have ended equals the state of runs without faults. */
export const endState: Oracle = {
  name: 'end state',
  words: 'after faults, an object is missing, left over or different',
  judge(history, references) {
    const equals = comparable(history, references);
    const [reference] = equals;
    if (!reference || hasFired(history, ...LASTING)) return [];
    if (hasOrphans(history) && !hasOrphans(reference)) return [];
    if (!history.calm.isQuiet && reference.calm.isQuiet) return []; // the oracle `stable` reports it
    return stateAlarms('end state', history, reference, new StateMask(references), `${count(equals)} without faults`);
  },
};

/** Returns whether objects stay because a fault deleted their owner with the propagation `Orphan`. */
function hasOrphans(history: History): boolean {
  const facts = runFacts(history);
  return facts.orphaning.size > 0 && history.calm.objects.some((object) => facts.isOrphan(object));
}

/** Compares two states and describes the differences that no mask and no fault explains. */
function stateAlarms(oracle: string, history: History, reference: History, mask: StateMask, others: string): Alarm[] {
  const comparison = new Comparison(history, reference);
  const found = comparison.differences().filter((difference) => !mask.hides(difference));
  const unexplained = found.filter((difference) => !comparison.isExplained(difference));
  return withoutConsequences(unexplained, comparison).map((difference) => alarm(oracle, difference, others));
}

class Comparison {
  private readonly facts: RunFacts;
  private readonly referenceFacts: RunFacts;

  constructor(
    private readonly history: History,
    private readonly reference: History,
  ) {
    this.facts = runFacts(history);
    this.referenceFacts = runFacts(reference);
  }

  differences(): StateDifference[] {
    const { history, reference } = this;
    return stateDifferences(canonicalState(reference, reference.calm), canonicalState(history, history.calm));
  }

  /** Returns whether the operator created the object in the run in which it exists. */
  isMadeByOperator({ object }: StateDifference): boolean {
    const uids = [this.actual(object), this.expected(object)].map((entry) => entry?.object.metadata.uid ?? '');
    return this.facts.isMadeByOperator(uids[0] ?? '') || this.referenceFacts.isMadeByOperator(uids[1] ?? '');
  }

  isDefinedKind({ object }: StateDifference): boolean {
    return this.history.definedKinds.some((kind) => object.startsWith(`${kind.split('.')[0] ?? ''} `));
  }

  /** A fault made the difference, and the operator has no reason to take it back. */
  isExplained(difference: StateDifference): boolean {
    const { object, field } = difference;
    const actual = this.actual(object);
    // Controllers of Kubernetes copy what a fault adds.
    if (field.includes(OF_FAULTS)) return true;
    if (field !== '') return !this.isWritten(difference) || (actual !== undefined && this.isEdited(actual, difference));
    if (this.isTimed(difference)) return true;
    if (actual) return this.facts.creatorOf(actual.object.metadata.uid ?? '')?.type === 'fault';
    const names = canonicalNames(this.history);
    return this.history.commits.some(
      (commit) =>
        commit.verb === 'delete' &&
        commit.actor.type === 'fault' &&
        names.text(commit.object, commit.uid) === object &&
        !this.isMadeByOperator(difference),
    );
  }

  /** Objects in this role, or their owners, come and go with the time, of which runs with faults take more. */
  private isTimed({ object }: StateDifference): boolean {
    const group = withoutNumbers(object);
    return [this.facts, this.referenceFacts].some((facts) =>
      facts.history.commits.some((commit) => {
        const timed = facts.isTimed(commit) ? facts.names.groupText(commit.object, commit.uid) : undefined;
        return timed !== undefined && (group === timed || group.endsWith(` of ${timed}`));
      }),
    );
  }

  /** The operator has set the field in one of the runs. */
  private isWritten({ object, path }: StateDifference): boolean {
    const uids = [this.actual(object), this.expected(object)].map((entry) => entry?.object.metadata.uid ?? '');
    return (
      isSetByOperator(this.facts, uids[0] ?? '', path) || isSetByOperator(this.referenceFacts, uids[1] ?? '', path)
    );
  }

  private isEdited(actual: CanonicalEntry, { object, path }: StateDifference): boolean {
    const expected = this.expected(object);
    if (expected && isApplied(expected.object, this.history.fieldManagers, path)) return false;
    const names = canonicalNames(this.history);
    return this.facts.commitsOf(actual.object.metadata.uid ?? '').some(({ actor, before, after }) => {
      if (actor.type !== 'fault' || !before || !after) return false;
      const edited = canonicalObject(after, names);
      return changedFields(canonicalObject(before, names), edited, 50).some(
        (change) =>
          overlaps(change.path, path) && deepEqual(at(edited, change.path), at(actual.canonical, change.path)),
      );
    });
  }

  private actual(object: string): CanonicalEntry | undefined {
    return canonicalState(this.history, this.history.calm).get(object);
  }

  private expected(object: string): CanonicalEntry | undefined {
    return canonicalState(this.reference, this.reference.calm).get(object);
  }
}

/** Keeps the causes: pods are missing because a Deployment is missing, and a status shows it. */
function withoutConsequences(found: readonly StateDifference[], comparison: Comparison): readonly StateDifference[] {
  const isCause = (difference: StateDifference): boolean => comparison.isMadeByOperator(difference);
  const whole = found.filter((difference) => difference.field === '' && isCause(difference));
  if (whole.length > 0) return whole;
  const causes = found.filter((difference) => isCause(difference) && !difference.field.startsWith('status'));
  if (causes.length > 0) return causes;
  const own = found.filter((difference) => comparison.isDefinedKind(difference));
  return own.length > 0 ? own : found;
}

function alarm(oracle: string, { object, field, expected, actual }: StateDifference, others: string): Alarm {
  const group = object.replace(/ \d+ of /g, ' of ');
  if (field === '' && actual === undefined)
    return { oracle, object: group, reason: 'missing', message: `${object} is missing; ${others} have it` };
  if (field === '')
    return { oracle, object: group, reason: 'left over', message: `${object} exists; ${others} do not have it` };
  const [is, must] = [short(actual), short(expected)];
  const path = field.replace(/\[\d+\]/g, '[]');
  const message = `${object}: ${field} is ${is}; in ${others} it is ${must}`;
  return { oracle, object: group, field: path, reason: 'different', message };
}

function short(value: unknown): string {
  if (value === undefined) return 'absent';
  const text = stringifyJson(value);
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}

function count(references: readonly History[]): string {
  return references.length === 1 ? 'the run' : `all ${String(references.length)} runs`;
}

function at(value: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>((part, step) => (part as JsonObject | undefined)?.[step], value);
}

function overlaps(one: FieldPath, other: FieldPath): boolean {
  const [a, b] = [formatFieldPath(one), formatFieldPath(other)];
  return a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`) || a.startsWith(`${b}[`) || b.startsWith(`${a}[`);
}

/**
 * The state after changes of the spec equals the state of a run in which the last spec was the first one.
 *
 * Objects that Kubernetes keeps, such as the claims of a StatefulSet that became smaller, are not compared.
 */
export const pathIndependence: Oracle = {
  name: 'path',
  words: 'the state depends on earlier specs: something of a former spec stays, or is missing',
  judge(history, references, direct) {
    if (!direct || history.fired.length > 0 || !isEnded(history) || !isEnded(direct)) return [];
    if (hasFired(history, 'foreign')) return [];
    const mask = new StateMask([history, ...references]);
    return stateAlarms('path', history, direct, mask, 'a new object with the last spec').filter(isKept);
  },
};

/** Steps that the server refused would make another state. */
function isEnded({ calm, steps }: History): boolean {
  return calm.isQuiet && steps.every(({ status = 0 }) => status >= 200 && status < 300);
}

function isKept({ object = '', reason }: Alarm): boolean {
  return !(object.startsWith('PersistentVolume') && reason !== 'missing');
}
