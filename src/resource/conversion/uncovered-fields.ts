import { isCommonField } from '../fields/common-fields.js';
import type { ClassModel, ValueModel } from '../fields/value-model.js';
import type { Problem } from '../model-error.js';
import { itemFields, type BothFields, type Side, type Sides } from './compiled-steps.js';
import type { ConversionStep } from '../decorators/conversion-step.js';
import { splitFieldPath } from './object-editor.js';
import { stepPaths } from './step-problems.js';
import { describe } from './type-difference.js';

/** Iterates over fields that no step converts and that are not equal in both versions. */
export function* uncoveredProblems(
  steps: readonly ConversionStep[],
  fields: BothFields,
  names: Sides<string>,
  within = '',
): Generator<Problem> {
  const coverage = { spoke: new Coverage(steps, 'spoke'), hub: new Coverage(steps, 'hub') };
  yield* compareFields(fields, { names, coverage, within, path: '' });
  for (const step of steps) {
    if (step.step !== 'each') continue;
    const items = itemFields(fields, { spoke: splitFieldPath(step.from), hub: splitFieldPath(step.to) });
    yield* uncoveredProblems(step.steps, items, names, `${within}${step.from}[].`);
  }
}

interface Comparison {
  readonly names: Sides<string>;
  readonly coverage: Sides<Coverage>;
  /** The list items that the fields are of. */
  readonly within: string;
  /** The object that has the fields. */
  readonly path: string;
}

/** The fields that steps convert on one side. */
class Coverage {
  private readonly paths: readonly string[];

  constructor(steps: readonly ConversionStep[], side: Side) {
    this.paths = steps.flatMap((step) => stepPaths(step, side));
  }

  /** True if a step converts the field as a whole. */
  covers(path: string): boolean {
    return this.paths.includes(path);
  }

  /** True if a step converts a field within it. */
  reachesInto(path: string): boolean {
    return this.paths.some((covered) => covered.startsWith(`${path}.`));
  }
}

function* compareFields({ spoke, hub }: BothFields, comparison: Comparison): Generator<Problem> {
  const fields = { spoke: fieldsOf(spoke, comparison), hub: fieldsOf(hub, comparison) };
  for (const name of new Set([...fields.spoke.keys(), ...fields.hub.keys()])) {
    const path = `${comparison.path}${name.replaceAll('.', String.raw`\.`)}`;
    const both = { spoke: fields.spoke.get(name), hub: fields.hub.get(name) };
    yield* compareField(both, { ...comparison, path });
  }
}

function fieldsOf(object: ClassModel | undefined, { within, path }: Comparison): Map<string, ValueModel> {
  const isRoot = within === '' && path === '';
  const fields = object?.fields.filter(({ name }) => !isRoot || !isCommonField(name)) ?? [];
  return new Map(fields.map(({ name, value }) => [name, value]));
}

function* compareField(values: Sides<ValueModel | undefined>, comparison: Comparison): Generator<Problem> {
  const { path, coverage } = comparison;
  const open = (['spoke', 'hub'] as const).filter((side) => values[side] && !coverage[side].covers(path));
  const [side] = open;
  if (!side) return;
  const inner = { ...comparison, path: `${path}.` };
  const reached = open.filter((each) => coverage[each].reachesInto(path));
  const spoke = open.includes('spoke') ? values.spoke : undefined;
  const hub = open.includes('hub') ? values.hub : undefined;
  if (spoke && hub) yield* compareValues(spoke, hub, inner, path);
  // One version has the field; steps may convert all the fields within it.
  else if (reached.length > 0) yield* compareFields({ spoke: spoke?.class, hub: hub?.class }, inner);
  else yield* onlyIn(side, comparison);
}

function* onlyIn(side: Side, { names, within, path }: Comparison): Generator<Problem> {
  const keep = within === '' ? `keep('${path}') or ` : '';
  yield [`${within}${path} exists in ${names[side]} only`, `${keep}drop('${path}')`];
}

function* compareValues(spoke: ValueModel, hub: ValueModel, inner: Comparison, path: string): Generator<Problem> {
  const { names, within } = inner;
  if (describe(spoke) !== describe(hub)) {
    yield [
      `${within}${path} is ${describe(spoke)} in ${names.spoke} and ${describe(hub)} in ${names.hub}`,
      `map('${path}', '${path}', (value) => …, (value) => …)`,
    ];
  } else if (spoke.class && hub.class) {
    yield* compareFields({ spoke: spoke.class, hub: hub.class }, inner);
  } else if (spoke.items && hub.items) {
    yield* compareItems(spoke.items, hub.items, inner, path, '[]');
  } else if (typeof spoke.values === 'object' && typeof hub.values === 'object') {
    yield* compareItems(spoke.values, hub.values, inner, path, '{}');
  }
}

/** Fields of list items and map values need steps of their own, which only `each` and functions have. */
function* compareItems(
  spoke: ValueModel,
  hub: ValueModel,
  { names, coverage, within }: Comparison,
  path: string,
  suffix: '[]' | '{}',
): Generator<Problem> {
  const own = { names, coverage, within: `${within}${path}${suffix}.`, path: '' };
  const problems = [...compareValues(spoke, hub, { ...own, coverage: NOTHING_COVERED }, '')];
  const [first] = problems;
  if (!first) return;
  const remedy =
    suffix === '[]' ? `each('${path}', [${first[1]}])` : 'convert with functions: @ConvertsTo(…, { up, down })';
  yield [first[0].replace(/\. is /, ' is '), remedy];
}

const NOTHING_COVERED = { spoke: new Coverage([], 'spoke'), hub: new Coverage([], 'hub') };
