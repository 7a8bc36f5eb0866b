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
/** What users cannot apply. */
const LEFT_OUT: ReadonlySet<string> = new Set(['status']);

/** Returns the fields that are missing at a place of a YAML text in block style, or the values of its field. */
export function suggestionsAt(schema: FieldSchema, text: string, offset: number): readonly Suggestion[] {
  const lines = text.slice(0, offset).split('\n');
  const line = lines.pop() ?? '';
  const [, start = '', word = ''] = /^((?: |- )*)([\w./-]*)$/.exec(line) ?? [];
  const value = /^((?: |- )*)([\w./-]+): *([\w./-]*)$/.exec(line);
  if (value) {
    const [, before = '', key = '', written = ''] = value;
    const parent = schemaAt(schema, levelsOf([...lines, before], before.length));
    return valuesOf(parent && member(parent, key)).map((label) => suggestion(label, `${label}`, offset - written.length));
  }
  if (line !== start + word) return [];
  const column = start.length;
  const parent = schemaAt(schema, levelsOf([...lines, start], column));
  const present = keysBeside(text, lines.length, column);
  const names = Object.keys(parent?.properties ?? {}).filter(
    (name) => name.startsWith(word) && !present.has(name) && !(column === 0 && LEFT_OUT.has(name)),
  );
  return names.map((name) => field(name, parent ?? {}, { from: offset - word.length, column }));
}

function suggestion(label: string, insert: string, from: number): Suggestion {
  return { label, insert, from, type: '', isRequired: false, about: '' };
}

function field(
  name: string,
  parent: FieldSchema,
  { from, column }: { readonly from: number; readonly column: number },
): Suggestion {
  const { type = 'any', description = '', items } = parent.properties?.[name] ?? {};
  const below = `\n${' '.repeat(column + 2)}`;
  const rest = type === 'object' ? below : type === 'array' ? `${below}- ` : ' ';
  return {
    label: name,
    insert: `${name}:${rest}`,
    from,
    type: type === 'array' ? `${items?.type ?? 'any'}[]` : type,
    isRequired: parent.required?.includes(name) ?? false,
    about: description.split('\n', 1)[0] ?? '',
  };
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

/** The keys and items that the text after the last line belongs to, which begins at a column. */
function levelsOf(lines: readonly string[], column: number): readonly Level[] {
  let levels: Level[] = [];
  for (const line of lines) {
    let at = /^ */.exec(line)?.[0].length ?? 0;
    if (at === line.length || line[at] === '#') continue;
    while (line.startsWith('- ', at)) {
      const start = at;
      // A list may begin at the column of its key.
      levels = levels.filter((level) => level.column < start || (level.column === start && level.key !== ITEM));
      levels.push({ column: start, key: ITEM });
      at += 2;
      while (line[at] === ' ') at += 1;
    }
    const [, quoted, single, plain] = KEY.exec(line.slice(at)) ?? [];
    const key = quoted ?? single ?? plain;
    if (key === undefined) continue;
    const start = at;
    levels = levels.filter((level) => level.column < start);
    levels.push({ column: start, key });
  }
  return levels.filter((level) => level.column < column);
}

/** The keys of the same object before and after a line. */
function keysBeside(text: string, line: number, column: number): ReadonlySet<string> {
  const lines = text.split('\n');
  const keys = new Set<string>();
  const note = (at: number): boolean => {
    const [, start = '', rest = ''] = /^((?: |- )*)(.*)$/.exec(lines[at] ?? '') ?? [];
    if (rest === '' || rest.startsWith('#')) return true;
    if (start.length < column) return false;
    const [, quoted, single, plain] = start.length === column ? (KEY.exec(rest) ?? []) : [];
    const key = quoted ?? single ?? plain;
    if (key !== undefined) keys.add(key);
    return start.length > column || !start.includes('-');
  };
  if (!/- *$/.test((lines[line] ?? '').slice(0, column))) for (let at = line - 1; at >= 0 && note(at); at--);
  for (let at = line + 1; at < lines.length && !startsItem(lines[at] ?? '', column) && note(at); at++);
  return keys;
}

/** Returns whether a line begins another item of the list. */
function startsItem(line: string, column: number): boolean {
  const [start = ''] = /^(?: |- )*/.exec(line) ?? [];
  return start.length <= column && start.includes('-');
}
