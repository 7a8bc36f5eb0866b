const OPENING = /^(?:Object(?:\.\w+)*|JSONPatch)\s*\{/;
const STRING = /^(?:[rR]?"""[\s\S]*?"""|[rR]?'''[\s\S]*?'''|[rR]?"(?:\\.|[^"\\])*"|[rR]?'(?:\\.|[^'\\])*')/;
const FIELD = /^(\s*)(\??)([A-Za-z_]\w*)(\s*:)/;
const WORD = /^[A-Za-z_][\w.]*/;

/**
 * Writes the objects of a mutation as maps: `Object.spec{replicas: 3}` as `{"replicas": 3}`.
 *
 * CEL builds both alike; the library that evaluates it here knows maps only.
 */
export function objectsAsMaps(expression: string): string {
  let rest = expression;
  let result = '';
  /** The open brackets; objects are those whose keys are names. */
  const open: string[] = [];
  const take = (length: number, as = rest.slice(0, length)): void => {
    result += as;
    rest = rest.slice(length);
  };
  const takeField = (): void => {
    const field = open.at(-1) === 'object' ? FIELD.exec(rest) : null;
    if (field) take(field[0].length, `${field[1] ?? ''}${field[2] ?? ''}"${field[3] ?? ''}"${field[4] ?? ''}`);
  };
  while (rest !== '') {
    const [opening] = OPENING.exec(rest) ?? [];
    const [whole] = STRING.exec(rest) ?? WORD.exec(rest) ?? [];
    if (opening !== undefined) {
      take(opening.length, '{');
      open.push('object');
      takeField();
    } else if (whole === 'jsonpatch.escapeKey') take(whole.length, 'escapeKey');
    else if (whole !== undefined) take(whole.length);
    else {
      const character = rest.charAt(0);
      take(1);
      if ('{[('.includes(character)) open.push(character);
      if ('}])'.includes(character)) open.pop();
      if (character === ',') takeField();
    }
  }
  return result;
}
