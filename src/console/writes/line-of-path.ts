/**
 * Returns the line, from 1, of a field such as `spec.containers[0].image` in block-style YAML; undefined if it is not
 * found. A field that is missing has the line of the innermost member that is present.
 */
export function lineOfPath(text: string, path: string): number | undefined {
  const lines = text.split('\n');
  let at: Found = { line: 0, next: 0, indent: -1 };
  let found: number | undefined;
  for (const step of stepsOf(path)) {
    const next = typeof step === 'number' ? itemLine(lines, at, step) : memberLine(lines, at, step);
    if (!next) break;
    found = next.line + 1;
    at = next;
  }
  return found;
}

interface Found {
  readonly line: number;
  /** The line in which the search for members goes on. */
  readonly next: number;
  /** The column of the found member. */
  readonly indent: number;
}

function stepsOf(path: string): (string | number)[] {
  return [...path.matchAll(/\[(\d+)\]|\["?([^"\]]+)"?\]|([^.[\]]+)/g)].map(([, index, quoted, name]) =>
    index === undefined ? (quoted ?? name ?? '') : Number(index),
  );
}

const MEMBER = /^( *(?:- +)*)["']?([^\s"':#][^"':]*)["']?:(?:\s|$)/;

function memberLine(lines: readonly string[], { next, indent }: Found, name: string): Found | undefined {
  let level: number | undefined;
  for (let line = next; line < lines.length; line++) {
    const [, prefix = '', key] = MEMBER.exec(lines[line] ?? '') ?? [];
    if (key === undefined) continue;
    const column = prefix.length;
    if (column <= indent) return undefined;
    level ??= column;
    if (column === level && key === name) return { line, next: line + 1, indent: column };
  }
  return undefined;
}

/** The members of an item begin in the line of its dash. */
function itemLine(lines: readonly string[], { next, indent }: Found, index: number): Found | undefined {
  let level: number | undefined;
  let count = -1;
  for (let line = next; line < lines.length; line++) {
    const space = /^( *)-(?: |$)/.exec(lines[line] ?? '')?.[1]?.length;
    if (space === undefined) continue;
    if (space < indent) return undefined;
    level ??= space;
    if (space === level && ++count === index) return { line, next: line, indent: level };
  }
  return undefined;
}
