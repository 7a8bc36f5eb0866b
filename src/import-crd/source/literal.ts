/** The maximum line width, as in the prettier configuration of new projects. */
export const LINE_WIDTH = 120;

/** Code that is printed verbatim in a literal, such as a class name. */
export class Code {
  constructor(readonly text: string) {}
}

/** A value with an explicit type, because the compiler would infer a different one. */
export class Typed {
  constructor(
    readonly value: unknown,
    readonly type: string,
  ) {}
}

/** The position of a literal. */
export interface LiteralPlace {
  /** The indentation of its first line, in characters. */
  readonly indent: number;
  readonly column: number;
  /** The number of characters after it on its last line. */
  readonly suffix: number;
}

/** Prints a JSON value as a TypeScript literal, with the line breaks of prettier. */
export function printLiteral(value: unknown, place: LiteralPlace): string {
  if (value instanceof Typed) {
    const type = ` satisfies ${value.type}`;
    return printLiteral(value.value, { ...place, suffix: place.suffix + type.length }) + type;
  }
  const flat = flatLiteral(value);
  if (flat !== undefined && place.column + textWidth(flat) + place.suffix <= LINE_WIDTH) return flat;
  if (Array.isArray(value) && value.length > 0) return brokenArray(value, place.indent);
  if (isPlainObject(value) && Object.keys(value).length > 0) return brokenObject(value, place.indent);
  return scalar(value);
}

/** Returns a literal on one line; undefined when prettier always breaks it. */
function flatLiteral(value: unknown): string | undefined {
  if (value instanceof Typed) return joined('', [flatLiteral(value.value)], ` satisfies ${value.type}`);
  if (Array.isArray(value)) return isTable(value) ? undefined : joined('[', value.map(flatLiteral), ']');
  if (!isPlainObject(value)) {
    const text = scalar(value);
    return text.includes('\n') ? undefined : text;
  }
  const members = Object.entries(value).map(([key, member]) => {
    const flat = flatLiteral(member);
    return flat === undefined ? undefined : `${propertyKey(key)}: ${flat}`;
  });
  return members.length === 0 ? '{}' : joined('{ ', members, ' }');
}

/** Returns the width of a text in columns: wide characters take two, combining marks none. */
function textWidth(text: string): number {
  const wide = text.match(
    /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}]/gu,
  );
  return Array.from(text.replaceAll(/\p{Mn}/gu, '')).length + (wide?.length ?? 0);
}

/**
 * Returns a string literal with the quotes that need fewer escapes; a text of several lines becomes a template
 * literal.
 */
export function stringText(text: string): string {
  return text.includes('\n') && !/[\r\u2028\u2029]/.test(text) ? templateText(text) : quotedText(text);
}

function quotedText(text: string): string {
  const count = (quote: string): number => text.split(quote).length;
  const quote = count("'") > count('"') ? '"' : "'";
  const inner = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"');
  return quote + escaped(inner, quote) + quote;
}

function propertyKey(name: string): string {
  if (name === '__proto__') return `['__proto__']`; // an unquoted key would set the prototype
  return isIdentifier(name) ? name : quotedText(name); // a template literal cannot be a key
}

export function isIdentifier(name: string): boolean {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name);
}

function escaped(inner: string, quote: string): string {
  const text = inner.replaceAll('\u2028', String.raw`\u2028`).replaceAll('\u2029', String.raw`\u2029`);
  return text.replaceAll(quote, `\\${quote}`);
}

function templateText(text: string): string {
  const lines = text.split('\n').map((line) =>
    JSON.stringify(line)
      .slice(1, -1)
      .replaceAll(String.raw`\"`, '"'),
  );
  return `\`${lines.join('\n').replaceAll('`', '\\`').replaceAll('${', '\\${')}\``;
}

function scalar(value: unknown): string {
  if (value instanceof Code) return value.text;
  if (typeof value === 'string') return stringText(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (Array.isArray(value)) return '[]';
  return String(typeof value === 'object' && value !== null ? '{}' : value).replace('e+', 'e');
}

function joined(open: string, parts: readonly (string | undefined)[], close: string): string | undefined {
  return parts.includes(undefined) ? undefined : open + parts.join(', ') + close;
}

/**
 * Returns whether all rows are of one kind and have several members each; prettier then puts them on separate lines.
 */
function isTable(rows: readonly unknown[]): boolean {
  return rows.length > 1 && (rows.every(isLongList) || rows.every(isBigObject));
}

function isLongList(row: unknown): boolean {
  return Array.isArray(row) && row.length > 1;
}

function isBigObject(row: unknown): boolean {
  return isPlainObject(row) && Object.keys(row).length > 1;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Code || value instanceof Typed)
  );
}

function brokenArray(items: readonly unknown[], outer: number): string {
  const indent = outer + 2;
  const margin = ' '.repeat(indent);
  if (items.length > 1 && items.every((item) => typeof item === 'number'))
    return `[\n${filled(items.map(scalar), indent)}\n${' '.repeat(outer)}]`;
  const lines = items.map((item) => `${margin}${printLiteral(item, { indent, column: indent, suffix: 1 })},\n`);
  return `[\n${lines.join('')}${' '.repeat(outer)}]`;
}

/** Puts as many numbers on each line as fit. */
function filled(items: readonly string[], indent: number): string {
  const margin = ' '.repeat(indent);
  const lines: string[] = [];
  for (const item of items) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + item.length + 2 <= LINE_WIDTH) lines[lines.length - 1] = `${line} ${item},`;
    else lines.push(`${margin}${item},`);
  }
  return lines.join('\n');
}

function brokenObject(value: Record<string, unknown>, outer: number): string {
  const indent = outer + 2;
  const lines = Object.entries(value).map(
    ([key, member]) => `${' '.repeat(indent)}${property(key, member, indent)},\n`,
  );
  return `{\n${lines.join('')}${' '.repeat(outer)}}`;
}

/** A string that does not fit moves to the next line only after a key of at least this width. */
const BREAKING_KEY = 5;

function property(name: string, value: unknown, indent: number): string {
  const key = propertyKey(name);
  const text = printLiteral(value, { indent, column: indent + textWidth(key) + 2, suffix: 1 });
  const isTooLong = typeof value === 'string' && indent + textWidth(key) + 2 + textWidth(text) + 1 > LINE_WIDTH;
  if (!isTooLong || text.startsWith('`') || textWidth(key) < BREAKING_KEY) return `${key}: ${text}`;
  return `${key}:\n${' '.repeat(indent + 2)}${text}`;
}
