import { ownMember } from '../../base/own-member.js';

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

/** Returns whether a word is a CEL keyword or reserved. */
export function isReserved(name: string): boolean {
  return RESERVED.has(name);
}

/** Returns the name of a property in CEL; undefined when it has none: apiserver/pkg/cel/escaping.go. */
export function escapeName(name: string): string | undefined {
  if (RESERVED.has(name)) return `__${name}__`;
  if (!/^[a-zA-Z_./-][a-zA-Z0-9_./-]*$/.test(name)) return undefined;
  return name.replaceAll(/__|[-./]/g, (found) => ownMember(ESCAPES, found) ?? found);
}
