/** One media type of an Accept header. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

/** What an Accept header asks for, the best first: goautoneg's ParseAccept. */
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

/** Go sorts so few by insertion, and by an order that is none: of two each may come before the other. */
function insertSorted(clauses: AcceptClause[], clause: AcceptClause): void {
  let at = clauses.length;
  for (let last = clauses[at - 1]; last && comesBefore(clause, last); last = clauses[at - 1]) at--;
  clauses.splice(at, 0, clause);
}

function comesBefore(a: AcceptClause, b: AcceptClause): boolean {
  return a.quality > b.quality || (a.type !== '*' && b.type === '*') || (a.subtype !== '*' && b.subtype === '*');
}

/** Whether a route of go-restful that knows these media types is taken; it knows no `application/*`. */
export function matchesRoute(header: string, known: readonly string[]): boolean {
  const types = header.split(',').map((range) => (range.split(';', 1)[0] ?? '').trim());
  return types.some((type) => type === '*/*' || known.includes(type));
}
