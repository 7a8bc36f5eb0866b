/** Words that CEL does not take as the name of a field, from apiserver's cel/escaping.go. */
const RESERVED = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

const ESCAPES: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/** A field's name as rules in CEL spell it; undefined when they cannot name it. */
export function celName(field: string): string | undefined {
  if (RESERVED.has(field)) return `__${field}__`;
  const escaped = field.replaceAll(/__|[.\-/]/g, (text) => ESCAPES[text] ?? text);
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(escaped) ? escaped : undefined;
}

/** The value of a field of the object that a rule is about. */
export function fieldAccess(field: string): string {
  return `self.${celName(field) ?? field}`;
}

/** Whether a field of the object that a rule is about is there. */
export function hasField(field: string): string {
  return `has(${fieldAccess(field)})`;
}

/** A string as CEL writes it. */
export function stringLiteral(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}'`;
}
