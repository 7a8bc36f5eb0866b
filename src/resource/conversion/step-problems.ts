import type { Problem } from '../model-error.js';
import { isCommonField } from '../fields/common-fields.js';
import { describeType } from '../fields/value-model.js';
import { fieldAt, itemFields, type BothFields, type Side, type Sides } from './compiled-steps.js';
import type { ConversionStep } from '../decorators/conversion-step.js';
import { splitFieldPath } from './object-editor.js';
import { typeDifference } from './type-difference.js';

/** Iterates over the problems of steps: unknown fields, types that differ, paths that overlap. */
export function* stepProblems(
  steps: readonly ConversionStep[],
  fields: BothFields,
  names: Sides<string>,
  within = '',
): Generator<Problem> {
  for (const step of steps) yield* problemsOf(step, fields, names, within);
  yield* overlaps(steps, 'spoke', fields, within);
  yield* overlaps(steps, 'hub', fields, within);
}

function* problemsOf(
  step: ConversionStep,
  fields: BothFields,
  names: Sides<string>,
  within: string,
): Generator<Problem> {
  switch (step.step) {
    case 'keep':
    case 'drop':
      yield* lonelyProblems(step, fields, names, within);
      return;
    case 'map':
      for (const path of step.from) yield* unknownField(path, 'spoke', fields, names, within);
      for (const path of step.to) yield* unknownField(path, 'hub', fields, names, within);
      return;
    case 'move':
    case 'each': {
      const unknown = [
        ...unknownField(step.from, 'spoke', fields, names, within),
        ...unknownField(step.to, 'hub', fields, names, within),
      ];
      yield* unknown;
      if (unknown.length > 0) return;
      if (step.step === 'move') yield* moveProblems(step, fields, names, within);
      else yield* listProblems(step, fields, names, within);
    }
  }
}

function* unknownField(
  path: string,
  side: Side,
  fields: BothFields,
  names: Sides<string>,
  within: string,
): Generator<Problem> {
  const [first = ''] = splitFieldPath(path);
  if (within === '' && isCommonField(first))
    yield [`${path} cannot be converted: the API server keeps it`, 'remove the step'];
  else if (!fieldAt(fields[side], splitFieldPath(path)))
    yield [`${names[side]} has no field ${within}${path}`, 'write the path as in the class: spec.size'];
}

/** A kept or dropped field exists in one of the two versions. */
function* lonelyProblems(
  { step, path }: Extract<ConversionStep, { path: string }>,
  fields: BothFields,
  names: Sides<string>,
  within: string,
): Generator<Problem> {
  const [first = ''] = splitFieldPath(path);
  const sides = (['spoke', 'hub'] as const).filter((side) => fieldAt(fields[side], splitFieldPath(path)));
  const where = `${within}${path}`;
  if (within === '' && isCommonField(first))
    yield [`${path} cannot be converted: the API server keeps it`, 'remove the step'];
  else if (sides.length === 0)
    yield [`neither ${names.spoke} nor ${names.hub} has a field ${where}`, 'write the path as in the class: spec.size'];
  else if (sides.length === 2)
    yield [`${where} exists in both versions, so ${step} has no effect`, `remove ${step}('${path}')`];
  else if (step === 'keep' && within !== '')
    yield [
      `${where} cannot be kept: the item of a list cannot be found again`,
      `drop('${path}'), or convert with functions: @ConvertsTo(…, { up, down })`,
    ];
}

function* moveProblems(
  { from, to }: Extract<ConversionStep, { step: 'move' }>,
  fields: BothFields,
  names: Sides<string>,
  within: string,
): Generator<Problem> {
  const source = fieldAt(fields.spoke, splitFieldPath(from));
  const target = fieldAt(fields.hub, splitFieldPath(to));
  const difference = source && target && typeDifference(source, target);
  if (!difference) return;
  const [at, spoke, hub] = difference;
  yield [
    `${within}${from}${at} is ${spoke} in ${names.spoke}, ${within}${to}${at} ${hub} in ${names.hub}`,
    `map('${from}', '${to}', (value) => …, (value) => …)`,
  ];
}

function* listProblems(
  { from, to, steps }: Extract<ConversionStep, { step: 'each' }>,
  fields: BothFields,
  names: Sides<string>,
  within: string,
): Generator<Problem> {
  const items = itemFields(fields, { spoke: splitFieldPath(from), hub: splitFieldPath(to) });
  for (const [side, path] of [
    ['spoke', from],
    ['hub', to],
  ] as const) {
    if (items[side]) continue;
    const value = fieldAt(fields[side], splitFieldPath(path));
    yield [
      `${within}${path} is not a list of objects in ${names[side]} but has ${describeType(value?.type)}`,
      `each requires a list with a class as item type: @Field(() => [Item])`,
    ];
  }
  if (items.spoke && items.hub) yield* stepProblems(steps, items, names, `${within}${from}[].`);
}

/** Two steps must not convert the same field, or a field and one within it. */
function* overlaps(
  steps: readonly ConversionStep[],
  side: Side,
  fields: BothFields,
  within: string,
): Generator<Problem> {
  const paths = steps
    .flatMap((step) => stepPaths(step, side))
    .filter((path) => fieldAt(fields[side], splitFieldPath(path)))
    .sort();
  for (const [index, path] of paths.entries()) {
    const other = paths.slice(index + 1).find((next) => next === path || next.startsWith(`${path}.`));
    if (other === undefined) continue;
    yield [
      other === path
        ? `${within}${path} is in two steps`
        : `${within}${other} is in a step of its own and within ${within}${path}`,
      'convert each field in one step',
    ];
  }
}

/** The paths of a step on one side; a kept or dropped field counts where it exists. */
export function stepPaths(step: ConversionStep, side: Side): readonly string[] {
  switch (step.step) {
    case 'keep':
    case 'drop':
      return [step.path];
    case 'map':
      return side === 'spoke' ? step.from : step.to;
    case 'move':
    case 'each':
      return [side === 'spoke' ? step.from : step.to];
  }
}
