import { badRequest } from '../errors/status-error.js';
import type { ApiObject } from '../objects/api-object.js';

/** Returns whether an object's fields match. */
export type FieldQuery = (object: ApiObject) => boolean;

/** Fields a resource can be selected by, besides its name and namespace. */
export type SelectableFields = ReadonlyMap<string, (object: ApiObject) => string>;

/** A parsed fieldSelector, with the object name if it requires one. */
export interface ParsedFieldQuery {
  readonly matches: FieldQuery;
  readonly name: string | undefined;
  /** True if the selector has no requirements. */
  readonly isEmpty: boolean;
}

const METADATA: SelectableFields = new Map([
  ['metadata.name', ({ metadata }: ApiObject) => metadata.name],
  ['metadata.namespace', ({ metadata }: ApiObject) => metadata.namespace ?? ''],
]);

/**
 * The properties of the selected resource. metadata.namespace is not supported for cluster-scoped resources that are
 * custom or have selectable fields.
 */
interface Selectable {
  readonly selectableFields: SelectableFields;
  readonly isCustom: boolean;
  readonly namespaced: boolean;
}

function fieldsOf({ selectableFields, isCustom, namespaced }: Selectable): SelectableFields {
  const fields = new Map([...METADATA, ...selectableFields]);
  if (!namespaced && (isCustom || selectableFields.size > 0)) fields.delete('metadata.namespace');
  return fields;
}

/** Parses the fieldSelector parameter. */
export function parseFieldQuery(text: string, selectable: Selectable): ParsedFieldQuery {
  const fields = fieldsOf(selectable);
  const requirements: FieldQuery[] = [];
  let name: string | undefined;
  for (const term of splitTerms(text)) {
    const { field, isNegated, value } = parseTerm(term, text);
    if (field === '' && value === '') continue; // matches everything
    const read = fields.get(field);
    if (!read) throw unknownField(field, selectable);
    requirements.push((object) => (read(object) === value) !== isNegated);
    if (field === 'metadata.name' && !isNegated) name = value;
  }
  const matches: FieldQuery = (object) => requirements.every((one) => one(object));
  return { matches, name, isEmpty: requirements.length === 0 };
}

/** Returns the object name that a fieldSelector requires; undefined if it requires none or is invalid. */
export function selectedName(text: string): string | undefined {
  try {
    const terms = splitTerms(text).map((term) => parseTerm(term, text));
    return terms.find(({ field, isNegated }) => field === 'metadata.name' && !isNegated)?.value;
  } catch {
    return undefined;
  }
}

function splitTerms(text: string): string[] {
  const terms = text.match(/(\\.|[^\\,])+\\?|\\$/gs) ?? [];
  return terms.sort();
}

function parseTerm(term: string, whole: string): { field: string; isNegated: boolean; value: string } {
  const match = /^([^=!]*)(!=|==|=)(.*)$/s.exec(term);
  if (!match) throw badRequest(`invalid selector: '${whole}'; can't understand '${term}'`);
  const [, field = '', operator, raw = ''] = match;
  return { field, isNegated: operator === '!=', value: unescaped(raw) };
}

/** @throws StatusError on invalid escape sequences and on unescaped special characters */
function unescaped(text: string): string {
  return text.replace(/\\(.?)|[,=]/gs, (found, escaped?: string) => {
    if (escaped === undefined) throw unescapable(`unescaped character in value: ${found.codePointAt(0) ?? ''}`);
    if (!['\\', ',', '='].includes(escaped)) throw unescapable(`invalid escape sequence: ${found}`);
    return escaped;
  });
}

function unescapable(why: string): Error {
  return badRequest(`invalid field selector: ${why}`);
}

/** @throws StatusError when the syntax of a fieldSelector is invalid; field names are not checked */
export function assertFieldSyntax(text: string): void {
  for (const term of splitTerms(text)) parseTerm(term, text);
}

function unknownField(field: string, { selectableFields: selectable, isCustom }: Selectable): Error {
  // batch/v1 has its own message.
  if (selectable.has('status.successful')) return badRequest(`field label "${field}" not supported for Job`);
  if (isCustom || selectable.size > 0) return badRequest(`field label not supported: ${field}`);
  const known = [...METADATA.keys()].map((name) => `"${name}"`);
  return badRequest(`"${field}" is not a known field selector: only ${known.join(', ')}`);
}
