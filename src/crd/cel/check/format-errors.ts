import { ownMember } from '../../../base/own-member.js';
import type { Call, Expression } from '../syntax/expression.js';
import { SourceError } from '../syntax/source-error.js';
import type { CheckedExpression } from './checker.js';
import type { CelType, Kind } from './cel-type.js';
import { FORMAT_CLAUSES } from './format-clause.js';

const CLAUSE = /%(%|(?:\.(\d+))?(.?))/gs;

/**
 * Returns the errors of a `'…'.format([…])` with literal arguments: the format validator of cel-go's
 * ext/formatting.go.
 */
export function formatErrors(call: Call, { types }: CheckedExpression): SourceError[] {
  const { name, target, args } = call;
  const [list] = args;
  if (name !== 'format' || target?.kind !== 'literal' || list?.kind !== 'list') return [];
  const clauses = [...(target.value as string).matchAll(CLAUSE)].filter(([, whole]) => whole !== '%');
  for (const [index, [, , , letter = '']] of clauses.entries()) {
    const problem = clauseError(letter, list.items[index], index, call, types);
    if (problem) return [problem];
  }
  const [expected, got] = [clauses.length, list.items.length];
  const detail = `too many arguments supplied to string.format (expected ${expected}, got ${got})`;
  return got > expected ? [new SourceError(call.at, detail)] : [];
}

function clauseError(
  letter: string,
  item: Expression | undefined,
  index: number,
  call: Call,
  types: ReadonlyMap<Expression, CelType>,
): SourceError | undefined {
  const clause = ownMember(FORMAT_CLAUSES, letter);
  const unknown = letter === '' ? 'unexpected end of format string' : `unrecognized formatting clause "${letter}"`;
  if (!clause) return new SourceError(call.at, `could not parse formatting clause: ${unknown}`);
  if (!item) return new SourceError(call.at, `index ${index} out of range`);
  const type = types.get(item);
  if (!type || isAccepted(type, clause.accepts)) return undefined;
  return new SourceError(item.at, `error during formatting: ${clause.demand}, was given ${type.name}`);
}

function isAccepted({ kind }: CelType, accepted: readonly Kind[]): boolean {
  return kind === 'dyn' || kind === 'error' || kind === 'param' || accepted.includes(kind);
}
