import { yamlEvents } from '../../base/yaml.js';

const PLAIN_STYLE = 1;
/** Plain scalars that are not strings. */
const TYPED = /^(-?\d+|true|false|null)$/;

/** Returns an error for each duplicate key of a mapping, with the line of its value, like Go's YAML decoder. */
export function duplicateYamlKeys(text: string): string[] {
  const walk = new KeyWalk(text);
  walk.document();
  return walk.problems;
}

/** Joins the errors into one, like yaml.UnmarshalStrict. */
export function duplicateKeysError(problems: readonly string[]): string {
  return ['yaml: unmarshal errors:', ...problems].join('\n  ');
}

/** A value that was read: its form as a key in messages, and its offset, or -1 if it is empty. */
interface Walked {
  readonly shown: string;
  readonly start: number;
}

class KeyWalk {
  readonly problems: string[] = [];
  private readonly source: ReturnType<typeof yamlEvents>;
  private at = 0;
  private ends: readonly number[] | undefined;

  constructor(private readonly text: string) {
    this.source = yamlEvents(text);
  }

  document(): void {
    const { events, types } = this.source;
    if (events[this.at]?.type === types.DOCUMENT) this.at++;
    if (!this.isEnd) this.value();
  }

  private get isEnd(): boolean {
    const { events, types } = this.source;
    return this.at >= events.length || events[this.at]?.type === types.POP;
  }

  private value(): Walked {
    const { events, types, valueOf } = this.source;
    const event = events[this.at++];
    switch (event?.type) {
      case types.SCALAR: {
        const said = valueOf(event);
        const isTyped = event.style === PLAIN_STYLE && TYPED.test(said);
        return { shown: isTyped ? said : JSON.stringify(said), start: event.valueStart };
      }
      case types.MAPPING:
        this.mapping();
        return { shown: '', start: event.start };
      case types.SEQUENCE:
        while (!this.isEnd) this.value();
        this.at++;
        return { shown: '', start: event.start };
      default:
        return { shown: '', start: -1 };
    }
  }

  private repeated(key: string, at: number): void {
    this.problems.push(`line ${lineAt(this.lineEnds, at)}: key ${key} already set in map`);
  }

  /** Offsets of the line ends, computed once for all errors. */
  private get lineEnds(): readonly number[] {
    return (this.ends ??= Array.from(this.text.matchAll(/\n/g), ({ index }) => index));
  }

  private mapping(): void {
    const seen = new Set<string>();
    while (!this.isEnd) {
      const { shown, start } = this.value();
      const { start: below } = this.value();
      if (seen.has(shown)) this.repeated(shown, Math.max(start, below));
      if (shown !== '') seen.add(shown);
    }
    this.at++;
  }
}

/** Returns the line number, from 1, of an offset, by binary search. */
function lineAt(ends: readonly number[], place: number): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ends[middle] ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  return low + 1;
}
