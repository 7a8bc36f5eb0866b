const OPENING = /^(?:Object(?:\.\w+)*|JSONPatch)\s*\{/;
const STRING = /^(?:[rR]?"""[\s\S]*?"""|[rR]?'''[\s\S]*?'''|[rR]?"(?:\\.|[^"\\])*"|[rR]?'(?:\\.|[^'\\])*')/;
const FIELD = /^(\s*)(\??)([A-Za-z_]\w*)(\s*:)/;
const WORD = /^[A-Za-z_][\w.]*/;

/**
 * Rewrites the object literals of a mutation as maps: `Object.spec{replicas: 3}` as `{"replicas": 3}`. CEL evaluates
 * both to the same value; the parser used here supports only maps.
 */
export function objectsAsMaps(expression: string): string {
  const writer = new Writer(expression);
  while (writer.rest !== '') writer.step();
  return writer.result;
}

class Writer {
  result = '';
  /** The open brackets; object literals are those with unquoted keys. */
  private readonly open: string[] = [];

  constructor(public rest: string) {}

  step(): void {
    const [opening] = OPENING.exec(this.rest) ?? [];
    const [whole] = STRING.exec(this.rest) ?? WORD.exec(this.rest) ?? [];
    if (opening !== undefined) {
      this.take(opening.length, '{');
      this.open.push('object');
      this.takeField();
    } else if (whole !== undefined) this.take(whole.length, whole);
    else this.takeCharacter(this.rest.charAt(0));
  }

  private take(length: number, as: string): void {
    this.result += as;
    this.rest = this.rest.slice(length);
  }

  private takeCharacter(character: string): void {
    this.take(1, character);
    if ('{[('.includes(character)) this.open.push(character);
    if ('}])'.includes(character)) this.open.pop();
    if (character === ',') this.takeField();
  }

  private takeField(): void {
    const [whole = '', space = '', optional = '', name = '', colon = ''] =
      this.open.at(-1) === 'object' ? (FIELD.exec(this.rest) ?? []) : [];
    if (whole !== '') this.take(whole.length, `${space}${optional}"${name}"${colon}`);
  }
}
