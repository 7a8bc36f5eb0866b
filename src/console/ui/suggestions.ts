/** The members of an OpenAPI schema that suggestions are made of. */
export interface FieldSchema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
  readonly items?: FieldSchema;
  readonly additionalProperties?: FieldSchema | boolean;
}

/** A field or value that can be written at a place. */
export interface Suggestion {
  readonly label: string;
  /** The text that replaces the one from `from` on. */
  readonly insert: string;
  readonly from: number;
  readonly type: string;
  readonly isRequired: boolean;
  readonly about: string;
}

/** A key, or the item of a list, with the column at which it begins. */
interface Level {
  readonly column: number;
  readonly key: string;
}

const ITEM = '[]';
const KEY = /^(?:"([^"]+)"|'([^']+)'|([\w./-]+)):(?: |$)/;
/** Fields that users cannot apply. */
const LEFT_OUT: ReadonlySet<string> = new Set(['status']);

/** Returns the fields that are missing at a place of a YAML text in block style, or the values of its field. */
export function suggestionsAt(schema: FieldSchema, text: string, offset: number): readonly Suggestion[] {
  const above = text.slice(0, offset).split('\n');
  const line = above.pop() ?? '';
  const place = { schema, text, offset, above };
  return fieldsAt(place, line) ?? valuesAt(place, line) ?? [];
}

interface Place {
  readonly schema: FieldSchema;
  readonly text: string;
  readonly offset: number;
  /** The lines before that of the offset. */
  readonly above: readonly string[];
}

function fieldsAt({ schema, text, offset, above }: Place, line: string): Suggestion[] | undefined {
  const found = /^((?: |- )*)([\w./-]*)$/.exec(line);
  if (!found) return undefined;
  const [, start = '', word = ''] = found;
  const column = start.length;
  const parent = schemaAt(schema, levelsOf([...above, start], column)) ?? {};
  const present = keysBeside(text, above.length, column);
  return Object.entries(parent.properties ?? {})
    .filter(([name]) => name.startsWith(word) && !present.has(name) && !(column === 0 && LEFT_OUT.has(name)))
    .map(([name, field]) => ({
      label: name,
      insert: `${name}:${beginOf(field, column)}`,
      from: offset - word.length,
      type: typeOf(field),
      isRequired: parent.required?.includes(name) === true,
      about: field.description?.split('\n', 1)[0] ?? '',
    }));
}

function valuesAt({ schema, offset, above }: Place, line: string): Suggestion[] | undefined {
  const found = /^((?: |- )*)([\w./-]+): *([\w./-]*)$/.exec(line);
  if (!found) return undefined;
  const [, start = '', key = '', written = ''] = found;
  const parent = schemaAt(schema, levelsOf([...above, start], start.length));
  const from = offset - written.length;
  return valuesOf(parent && member(parent, key)).map((label) => ({
    ...{ label, insert: label, from, type: '', isRequired: false, about: '' },
  }));
}

/** The text after the key of a field, up to where its value begins. */
function beginOf({ type }: FieldSchema, column: number): string {
  const below = `\n${' '.repeat(column + 2)}`;
  if (type === 'array') return `${below}- `;
  return type === 'object' ? below : ' ';
}

function typeOf({ type = 'any', items }: FieldSchema): string {
  return type === 'array' ? `${items?.type ?? 'any'}[]` : type;
}

function valuesOf(schema: FieldSchema | undefined): readonly string[] {
  if (schema?.type === 'boolean') return ['true', 'false'];
  return (schema?.enum ?? []).filter((each) => typeof each === 'string' || typeof each === 'number').map(String);
}

function member({ properties, additionalProperties }: FieldSchema, key: string): FieldSchema | undefined {
  const own = properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
  return own ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
}

function schemaAt(schema: FieldSchema, levels: readonly Level[]): FieldSchema | undefined {
  let present: FieldSchema | undefined = schema;
  for (const { key } of levels) present = present && (key === ITEM ? present.items : member(present, key));
  return present;
}

/** The parts of a line: where items of lists and the key begin. */
interface Line {
  readonly items: readonly number[];
  readonly column: number;
  readonly key: string | undefined;
  readonly isEmpty: boolean;
}

function parseLine(line: string): Line {
  const [start = ''] = /^(?: |- )*/.exec(line) ?? [];
  const rest = line.slice(start.length);
  const items = [...start.matchAll(/-/g)].map(({ index }) => index);
  const key = KEY.exec(rest)?.slice(1).find(Boolean);
  return { items, column: start.length, key, isEmpty: rest.startsWith('#') || (rest === '' && items.length === 0) };
}

/** The keys and items that the text after the last line belongs to, which begins at a column. */
function levelsOf(lines: readonly string[], column: number): readonly Level[] {
  let levels: readonly Level[] = [];
  for (const line of lines.map(parseLine)) {
    if (line.isEmpty) continue;
    for (const at of line.items) levels = [...aboveItem(levels, at), { column: at, key: ITEM }];
    const { key } = line;
    if (key === undefined) continue;
    levels = [...levels.filter((level) => level.column < line.column), { column: line.column, key }];
  }
  return levels.filter((level) => level.column < column);
}

/** A list may begin at the column of its key. */
function aboveItem(levels: readonly Level[], at: number): readonly Level[] {
  return levels.filter(({ column, key }) => column < at || (column === at && key !== ITEM));
}

/** The keys of the same object before and after a line. */
function keysBeside(text: string, at: number, column: number): ReadonlySet<string> {
  const lines = text.split('\n').map(parseLine);
  const keys = new Set<string>();
  const isFirst = lines[at]?.column === column && startsItem(lines[at], column);
  for (const line of isFirst ? [] : lines.slice(0, at).reverse())
    if (!noteKey(keys, line, column) || startsItem(line, column)) break;
  for (const line of lines.slice(at + 1)) if (startsItem(line, column) || !noteKey(keys, line, column)) break;
  return keys;
}

/** Adds the key of a line that is one of the object at the column. Returns false for a line outside of the object. */
function noteKey(keys: Set<string>, line: Line, column: number): boolean {
  if (line.isEmpty) return true;
  if (line.column === column && line.key !== undefined) keys.add(line.key);
  return line.column >= column;
}

/** Returns whether a line begins an item of the list of which the object at the column is one, or of one above it. */
function startsItem({ items, column }: Line, own: number): boolean {
  return items.length > 0 && column <= own;
}
