/** One media type of an Accept header. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Parses an Accept header like goautoneg's ParseAccept; the preferred media type is first. */
export function parseAccept(header: string): AcceptClause[] {
  const clauses: AcceptClause[] = [];
  for (const part of header.split(',')) {
    const clause = clauseOf(part);
    if (clause) insertSorted(clauses, clause);
  }
  return clauses;
}

function clauseOf(part: string): AcceptClause | undefined {
  const [range = '', ...rest] = part.split(';');
  const slash = range.indexOf('/');
  const [type, subtype] =
    slash < 0 ? [range.trim(), ''] : [range.slice(0, slash).trim(), range.slice(slash + 1).trim()];
  if (subtype.includes('/') || (subtype === '' && type !== '*')) return undefined;
  const parameters = parametersIn(rest);
  const quality = parameters.get('q');
  parameters.delete('q');
  return { type, subtype: subtype || '*', quality: quality === undefined ? 1 : Number(quality) || 0, parameters };
}

function parametersIn(parts: readonly string[]): Map<string, string> {
  const pairs = parts.map((part) => part.split('=')).filter(({ length }) => length === 2);
  const entries = pairs.map(([name = '', value = '']) => [name.trim(), value.trim()] as const);
  return new Map(entries.filter(([, value]) => value !== ''));
}

/**
 * Sorts by insertion like Go, because the comparison is not a total order: each of two clauses may sort before the
 * other.
 */
function insertSorted(clauses: AcceptClause[], clause: AcceptClause): void {
  let at = clauses.length;
  for (let last = clauses[at - 1]; last && comesBefore(clause, last); last = clauses[at - 1]) at--;
  clauses.splice(at, 0, clause);
}

function comesBefore(a: AcceptClause, b: AcceptClause): boolean {
  return a.quality > b.quality || (a.type !== '*' && b.type === '*') || (a.subtype !== '*' && b.subtype === '*');
}

/** Returns whether a go-restful route with the given media types matches; it does not support `application/*`. */
export function matchesRoute(header: string, known: readonly string[]): boolean {
  const types = header.split(',').map((range) => (range.split(';', 1)[0] ?? '').trim());
  return types.some((type) => type === '*/*' || known.includes(type));
}
