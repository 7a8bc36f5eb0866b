import { DecodeReport, unknownField } from './decode-report.js';

/** Reports members that stand twice in one JSON object, which JSON.parse passes over. The text must be valid JSON. */
export function reportDuplicates(text: string, report: DecodeReport): void {
  const visit = (path: string, isRepeated: boolean): true => {
    if (isRepeated) report.duplicate(path);
    return true;
  };
  new Scanner(text, visit).value('');
}

/** Unknown fields and duplicates in the order of the text, as Go's decoder finds them: it passes over what it does not know. */
export function problemsInOrder(text: string, unknown: readonly string[]): string[] {
  const missing = new Set(unknown);
  const ordered = new DecodeReport();
  const visit = (path: string, isRepeated: boolean): boolean => {
    const isKnown = !missing.has(unknownField(path));
    if (!isKnown) ordered.unknown(path);
    else if (isRepeated) ordered.duplicate(path);
    return isKnown;
  };
  new Scanner(text, visit).value('');
  return [...new Set([...ordered.problems, ...unknown])];
}

/** Told of each member; what it returns says whether to be told of those below. */
type Visit = (path: string, isRepeated: boolean) => boolean;

const STRING = /"(?:[^"\\]|\\.)*"/y;
const SPACE = /\s*/y;
const SCALAR = /[^,\]}\s]+/y;

class Scanner {
  private position = 0;

  constructor(
    private readonly text: string,
    private readonly visit: Visit,
  ) {}

  value(path: string, isVisited = true): void {
    this.take(SPACE);
    const next = this.text.charAt(this.position);
    if (next === '{') this.object(path, isVisited);
    else if (next === '[') this.array(path, isVisited);
    else this.take(next === '"' ? STRING : SCALAR);
    this.take(SPACE);
  }

  private object(path: string, isVisited: boolean): void {
    const seen = new Set<string>();
    this.position++;
    this.take(SPACE);
    while (this.text.charAt(this.position) !== '}') {
      this.take(SPACE);
      const key = JSON.parse(this.take(STRING)) as string;
      const below = path === '' ? key : `${path}.${key}`;
      const goesOn = isVisited && this.visit(below, seen.has(key));
      seen.add(key);
      this.take(SPACE);
      this.position++;
      this.value(below, goesOn);
      if (this.text.charAt(this.position) === ',') this.position++;
    }
    this.position++;
  }

  private array(path: string, isVisited: boolean): void {
    this.position++;
    this.take(SPACE);
    for (let index = 0; this.text.charAt(this.position) !== ']'; index++) {
      this.value(`${path}[${index}]`, isVisited);
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
