import { ownMember } from '../../../base/own-member.js';
import { sizeRange, type CallArguments, type CallCost } from './call-cost.js';
import { sum, fixed, multiply, scale, union, type Range } from './estimate.js';

const LETTER = 0.1;
const PATTERN = 0.25;
const COMPARISONS = /^(equals|not_equals|(less|greater)(_equals)?_(string|bytes))$/;

interface Sizes {
  readonly target: Range;
  readonly a: Range;
  readonly b: Range;
  readonly c: Range;
}

type Estimate = (sizes: Sizes) => CallCost;

const scan = (size: Range): CallCost => ({ cost: scale(size, LETTER) });
const concat: Estimate = ({ a, b }) => ({ cost: scale(sum(a, b), LETTER), resultSize: sum(a, b) });
const scanArgument: Estimate = ({ a }) => scan(a);

const ESTIMATES: Readonly<Record<string, Estimate>> = {
  string_format: ({ target }) => scan(target),
  string_to_bytes: ({ a }) => ({ ...scan(a), resultSize: { min: a.min, max: a.max * 4 } }),
  bytes_to_string: ({ a }) => ({ ...scan(a), resultSize: { min: Math.trunc(a.min / 4), max: a.max } }),
  strings_quote: ({ a }) => ({ ...scan(a), resultSize: { min: a.min + 2, max: a.max * 2 + 2 } }),
  starts_with_string: scanArgument,
  ends_with_string: scanArgument,
  in_list: ({ b }) => ({ cost: b }),
  matches_string: ({ target, a }) => ({ cost: multiply(scale(sum(target, fixed(1)), LETTER), scale(a, PATTERN)) }),
  contains_string: ({ target, a }) => ({ cost: multiply(scale(target, LETTER), scale(a, LETTER)) }),
  add_list: ({ a, b }) => ({ cost: fixed(1), resultSize: sum(a, b) }),
  add_string: concat,
  add_bytes: concat,
};

/** The cost of cel-go's standard functions including their arguments: functionCost of checker/cost.go. */
export function standardCallCost(call: CallArguments, costs: readonly Range[]): CallCost {
  const { overload, target, args } = call;
  const [a, b, c] = [0, 1, 2].map((index) => sizeRange(args[index])) as [Range, Range, Range];
  const [x, y, z] = costs as [Range, Range, Range];
  if (overload === 'logical_or' || overload === 'logical_and') return { cost: { min: x.min, max: sum(x, y).max } };
  if (overload === 'conditional') return { cost: sum(x, union(y, z)), resultSize: union(b, c) };
  const found = COMPARISONS.test(overload)
    ? comparison(a, b)
    : (ownMember(ESTIMATES, overload)?.({ target: sizeRange(target), a, b, c }) ?? { cost: fixed(1) });
  return { ...found, cost: sum(found.cost, ...costs) };
}

function comparison(a: Range, b: Range): CallCost {
  const max = Math.min(a.max, b.max);
  return scan({ min: max > 0 ? 1 : 0, max });
}
