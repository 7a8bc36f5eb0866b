import { ownMember } from '../../../base/own-member.js';
import type { Call, Expression, ListLiteral, MapLiteral } from '../syntax/expression.js';
import { partsOf } from '../syntax/walk.js';
import { SourceError } from '../syntax/source-error.js';
import { patternError } from '../../../base/pattern.js';
import { parseDuration } from '../../formats/duration.js';
import { parseTimestamp } from '../../formats/timestamp.js';
import { formatType, isSameType, unwrapOptional, type CelType } from './cel-type.js';
import type { CheckedExpression } from './checker.js';
import { formatErrors } from './format-errors.js';

/** Functions with a first argument that is validated when it is a literal: cel-go's cel/validator.go. */
const CHECKS: Readonly<Record<string, (text: string) => boolean>> = {
  duration: (text) => parseDuration(text) !== undefined,
  timestamp: (text) => parseTimestamp(text) !== undefined,
  matches: (text) => patternError(text) === undefined,
};

/** Returns the errors in literals that can be found at compile time. */
export function literalErrors(checked: CheckedExpression): SourceError[] {
  const errors: SourceError[] = [];
  visit(checked.expression, (node, isExempt) => {
    if (node.kind === 'call') errors.push(...argumentErrors(node), ...formatErrors(node, checked));
    else if (!isExempt && (node.kind === 'list' || node.kind === 'map')) errors.push(...mixtures(node, checked));
  });
  return errors;
}

function argumentErrors({ name, args: [first] }: Call): SourceError[] {
  const isFine = ownMember(CHECKS, name);
  if (!isFine || first?.kind !== 'literal' || typeof first.value !== 'string' || isFine(first.value)) return [];
  return [new SourceError(first.at, `invalid ${name} argument`)];
}

/** Returns errors for lists and maps of mixed types; the arguments of `format` are exempt. */
function mixtures(node: ListLiteral | MapLiteral, { types }: CheckedExpression): SourceError[] {
  const columns =
    node.kind === 'list' ? [node.items] : [0, 1].map((index) => node.entries.map((entry) => entry[index as 0 | 1]));
  const typeOf = (item: Expression): CelType | undefined => {
    const type = types.get(item);
    return type && node.optional?.has(item) === true ? unwrapOptional(type) : type;
  };
  return columns.flatMap((column) => {
    const [first] = column;
    const wanted = first && typeOf(first);
    const other = column.find((item) => {
      const type = typeOf(item);
      return wanted && type && !isSameType(wanted, type);
    });
    const found = other && typeOf(other);
    return wanted && other && found
      ? [new SourceError(other.at, `expected type '${formatType(wanted)}' but found '${formatType(found)}'`)]
      : [];
  });
}

function visit(node: Expression, see: (node: Expression, isExempt: boolean) => void, isExempt = false): void {
  see(node, isExempt);
  const isBelowExempt = isExempt || (node.kind === 'call' && node.name === 'format');
  for (const below of partsOf(node)) visit(below, see, isBelowExempt);
}
