import type { DecodeReport } from './decode-report.js';

/** Reports members that stand twice in one JSON object, which JSON.parse passes over. The text must be valid JSON. */
export function reportDuplicates(text: string, report: DecodeReport): void {
  new Scanner(text, report).value('');
}

const STRING = /"(?:[^"\\]|\\.)*"/y;
const SPACE = /\s*/y;
const SCALAR = /[^,\]}\s]+/y;

class Scanner {
  private position = 0;

  constructor(
    private readonly text: string,
    private readonly report: DecodeReport,
  ) {}

  value(path: string): void {
    this.take(SPACE);
    const next = this.text.charAt(this.position);
    if (next === '{') this.object(path);
    else if (next === '[') this.array(path);
    else this.take(next === '"' ? STRING : SCALAR);
    this.take(SPACE);
  }

  private object(path: string): void {
    const seen = new Set<string>();
    this.position++;
    this.take(SPACE);
    while (this.text.charAt(this.position) !== '}') {
      this.take(SPACE);
      const key = JSON.parse(this.take(STRING)) as string;
      const below = path === '' ? key : `${path}.${key}`;
      if (seen.has(key)) this.report.duplicate(below);
      seen.add(key);
      this.take(SPACE);
      this.position++;
      this.value(below);
      if (this.text.charAt(this.position) === ',') this.position++;
    }
    this.position++;
  }

  private array(path: string): void {
    this.position++;
    this.take(SPACE);
    for (let index = 0; this.text.charAt(this.position) !== ']'; index++) {
      this.value(`${path}[${index}]`);
      if (this.text.charAt(this.position) === ',') this.position++;
    }
    this.position++;
  }

  private take(pattern: RegExp): string {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text)?.[0] ?? '';
    this.position += found.length;
    return found;
  }
}
