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

/** Whether the word has a meaning in CEL, or is kept for one. */
export function isReserved(name: string): boolean {
  return RESERVED.has(name);
}

/** The name of a property in CEL; undefined when it has none: apiserver/pkg/cel/escaping.go. */
export function escapeName(name: string): string | undefined {
  if (RESERVED.has(name)) return `__${name}__`;
  if (!/^[a-zA-Z_./-][a-zA-Z0-9_./-]*$/.test(name)) return undefined;
  return name.replaceAll(/__|[-./]/g, (found) => ESCAPES[found] ?? found);
}
