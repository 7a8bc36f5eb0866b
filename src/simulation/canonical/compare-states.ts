import { changedFields, formatFieldPath, type FieldPath } from '../../base/changed-fields.js';
import type { ObjectText } from '../plan/plan.js';
import type { History } from '../record/history.js';
import { canonicalState, type CanonicalState } from './canonical-state.js';

/** A field in which two canonical states differ; without a path, the whole object. */
export interface StateDifference {
  readonly object: ObjectText;
  /** Empty when the object exists in one of the states only. */
  readonly field: string;
  readonly path: FieldPath;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** More differences of one object are not distinguished. */
const LIMIT = 50;

/** Returns in which fields the objects of two states differ. */
export function stateDifferences(expected: CanonicalState, actual: CanonicalState): StateDifference[] {
  const texts = new Set([...expected.texts(), ...actual.texts()]);
  return [...texts].flatMap((object) => {
    const [before, after] = [expected.get(object)?.canonical, actual.get(object)?.canonical];
    if (!before && !after) return [];
    if (!before || !after) return [{ object, field: '', path: [], expected: before, actual: after }];
    return changedFields(before, after, LIMIT).map(({ path, from, to }) => {
      return { object, field: formatFieldPath(path), path, expected: from, actual: to };
    });
  });
}

/** The fields that differ among runs without faults; they are not compared. */
export class StateMask {
  private readonly hidden = new Map<string, Set<string>>();

  constructor(references: readonly History[]) {
    const [first, ...others] = references.map((reference) => canonicalState(reference, reference.calm));
    if (!first) return;
    for (const other of others)
      for (const { object, field } of stateDifferences(first, other)) {
        const key = withoutNumbers(object);
        const fields = this.hidden.get(key) ?? new Set();
        this.hidden.set(key, fields.add(withoutIndexes(field)));
      }
  }

  hides({ object, field }: Pick<StateDifference, 'object' | 'field'>): boolean {
    const fields = this.hidden.get(withoutNumbers(object));
    const path = withoutIndexes(field);
    return (
      fields !== undefined && [...fields].some((masked) => isWithin(path, masked) || masked.startsWith(`${path}[`))
    );
  }

  /** The masks for the output of `-v`: `Secret default/a data.password`. */
  texts(): string[] {
    return [...this.hidden].flatMap(([object, fields]) => [...fields].map((field) => `${object} ${field}`.trim()));
  }
}

function isWithin(path: string, prefix: string): boolean {
  return path === prefix || prefix === '' || path.startsWith(`${prefix}.`) || path.startsWith(`${prefix}[`);
}

/** `Pod 2 of …` and `Pod 3 of …` have the same mask. */
export function withoutNumbers(object: ObjectText): string {
  return object.replace(/ \d+ of /g, ' of ');
}

function withoutIndexes(field: string): string {
  return field.replace(/\[\d+\]/g, '[]');
}
