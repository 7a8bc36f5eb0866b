import { ownMember } from '../../../base/own-member.js';
import type { CelType } from '../check/cel-type.js';
import { sum, fixed, multiply, scale, union, UNKNOWN, type Range } from './estimate.js';

/** The properties of an argument that determine the cost of a call. */
export interface CostNode {
  readonly type: CelType;
  readonly size: Range | undefined;
  /** Size of the items of a list. */
  readonly itemSize: Range;
  readonly itemType: CelType | undefined;
  /** The value of an int literal. */
  readonly int: number | undefined;
}

export interface CallCost {
  readonly cost: Range;
  readonly resultSize?: Range;
}

export interface CallArguments {
  readonly overload: string;
  readonly target: CostNode | undefined;
  readonly args: readonly CostNode[];
}

/** Cost per traversed character; PATTERN is the cost per character of a regular expression. */
const LETTER = 0.1;
const PATTERN = 0.25;
const NAMED_PATTERN_SIZE = 128;
const LIST = fixed(10);
const ONE: CallCost = { cost: fixed(1) };
const ADDRESS: Range = { min: 4, max: 16 };

export function sizeRange(node: CostNode | undefined): Range {
  return node?.size ?? UNKNOWN;
}

type Estimate = (call: CallArguments) => CallCost | undefined;

const traverse =
  (factor: number, isSized: boolean): Estimate =>
  ({ target, args }) => {
    const size = sizeRange(target ?? args[0]);
    return { cost: scale(size, factor), ...(isSized && { resultSize: size }) };
  };

const scan = traverse(LETTER, false);
const nominal: Estimate = () => ONE;

/** Traverses each item once, including its characters. */
const compareItems: Estimate = ({ target }) => {
  if (!target) return undefined;
  if (!target.itemType) return { cost: scale(sizeRange(target), LETTER) };
  const isText = target.itemType.kind === 'string' || target.itemType.kind === 'bytes';
  return { cost: multiply(sizeRange(target), isText ? sum(fixed(1), scale(target.itemSize, LETTER)) : fixed(1)) };
};

const find: Estimate = ({ target, args }) => {
  const size = sizeRange(target);
  const text = scale(sum(size, fixed(1)), LETTER);
  return { cost: multiply(text, scale(sizeRange(args[0]), PATTERN)), resultSize: { min: 0, max: size.max } };
};

const split: Estimate = ({ target, args }) => {
  const size = sizeRange(target);
  return { cost: scale(size, 2 * LETTER), resultSize: { min: 0, max: args[1]?.int ?? size.max } };
};

const join: Estimate = ({ target, args }) => {
  const count = sizeRange(target);
  const items = target?.itemType ? multiply(count, target.itemSize) : fixed(0);
  const separators = { min: Math.max(0, count.min - 1), max: Math.max(0, count.max - 1) };
  const size = args[0] ? sum(items, multiply(sizeRange(args[0]), separators)) : items;
  return { cost: scale(size, LETTER), resultSize: size };
};

const replace: Estimate = ({ target, args }) => {
  const [size, old, fresh] = [sizeRange(target), sizeRange(args[0]), sizeRange(args[1])];
  let [countMax, keptMax, countMin, keptMin] = [0, 0, 0, 0];
  if (old.min === 0) [countMax, keptMax] = [size.max + 1, size.max];
  else if (fresh.max <= old.min) keptMax = size.max;
  else countMax = Math.ceil(size.max / old.min);
  if (old.max === 0) [countMin, keptMin] = [size.min + 1, size.min];
  else if (old.max <= fresh.min) keptMin = size.min;
  else countMin = Math.ceil(size.min / old.max);
  const resultSize = sum(multiply({ min: countMin, max: countMax }, fresh), { min: keptMin, max: keptMax });
  return { cost: scale(size, 2 * LETTER), resultSize };
};

const compareAddresses = (network: boolean): Estimate => {
  const base = scale(sum(ADDRESS, ADDRESS), LETTER);
  const cost = network ? sum(base, scale(ADDRESS, LETTER), fixed(1)) : base;
  return ({ overload, args }) => ({
    cost: overload.endsWith('_string') ? sum(cost, scale(sizeRange(args[0]), LETTER)) : cost,
  });
};

const equality: Estimate = ({ args: [a, b] }) => {
  if (!a || !b || a.type.kind !== b.type.kind || a.type.name !== b.type.name) return undefined;
  const { name } = a.type;
  if (['net.IP', 'net.CIDR', 'kubernetes.Quantity', 'kubernetes.Semver'].includes(name)) return ONE;
  if (name === 'kubernetes.NamedFormat') return { cost: scale({ min: 1, max: 64 }, LETTER) };
  if (name !== 'kubernetes.URL') return undefined;
  const max = b.size ? union(b.size, b.size).max : 1;
  return { cost: scale({ min: 1, max }, LETTER) };
};

/** Costs of the Kubernetes functions: apiserver/pkg/cel/library/cost.go. */
const BY_FUNCTION: Readonly<Record<string, Estimate>> = {
  ...of('isSorted sum max min indexOf lastIndexOf', compareItems),
  url: traverse(LETTER, true),
  ...of('lowerAscii upperAscii substring trim', traverse(LETTER, true)),
  replace,
  split,
  join,
  ...of('find findAll', find),
  ...of('cidr isIP isCIDR quantity isQuantity semver isSemver', scan),
  ip: (call) => (call.overload === 'cidr_ip' ? ONE : scan(call)),
  'ip.isCanonical': traverse(2 * LETTER, false),
  containsIP: compareAddresses(false),
  containsCIDR: compareAddresses(true),
  validate: ({ args }) => ({ cost: scale(scale(sizeRange(args[0]), LETTER), NAMED_PATTERN_SIZE * PATTERN) }),
  ...of(
    'masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast',
    nominal,
  ),
  ...of(
    'format.named sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch',
    nominal,
  ),
  ...of('getScheme getHostname getHost getPort getEscapedPath getQuery', nominal),
  ...of('check serviceAccount path group resource subresource namespace name allowed reason error errored', nominal),
  '_==_': equality,
};

function of(names: string, estimate: Estimate): Record<string, Estimate> {
  return Object.fromEntries(names.split(' ').map((name) => [name, estimate]));
}

const newList = (factor: number, size: Range): CallCost => ({
  cost: sum(scale(size, factor), fixed(1), LIST),
  resultSize: size,
});
const sets =
  (factor: number): Estimate =>
  ({ args: [a, b] }) => ({ cost: sum(scale(multiply(sizeRange(a), sizeRange(b)), factor), fixed(1)) });
const sorted = (overload: string, node: CostNode | undefined): CallCost => {
  const isText = /^list_(string|bytes)_/.test(overload);
  return newList(isText ? 2 + LETTER : 2, multiply(sizeRange(node), sizeRange(node)));
};

/** Costs of cel-go's lists and sets libraries; they take precedence over the Kubernetes costs. */
const BY_OVERLOAD: Readonly<Record<string, Estimate>> = {
  list_sets_contains_list: sets(1),
  list_sets_intersects_list: sets(1),
  list_sets_equivalent_list: sets(2),
  list_slice: ({ target, args: [from, to] }) =>
    newList(1, fixed(Math.max(0, (to?.int ?? sizeRange(target).max) - (from?.int ?? 0)))),
  list_flatten: ({ target }) => newList(1, sizeRange(target)),
  list_flatten_int: ({ target, args }) => newList(args[0]?.int ?? UNKNOWN.max, sizeRange(target)),
  lists_range: ({ args }) => newList(1, fixed(args[0]?.int ?? UNKNOWN.max)),
  list_reverse: ({ target }) => newList(1, sizeRange(target)),
  list_distinct: ({ target }) => newList(2, multiply(sizeRange(target), sizeRange(target))),
};

/** Returns the cost of a call without its arguments; undefined where cel-go's standard costs apply. */
export function extensionCallCost(name: string, call: CallArguments): CallCost | undefined {
  const { overload, target, args } = call;
  if (overload.endsWith('_sort')) return sorted(overload, target);
  if (overload.endsWith('_sortByAssociatedKeys')) return sorted(overload, args[0]);
  return (ownMember(BY_OVERLOAD, overload) ?? ownMember(BY_FUNCTION, name))?.(call);
}
