import { yamlEvents } from '../../base/yaml.js';

const PLAIN_STYLE = 1;
/** What is no string though nothing says so. */
const TYPED = /^(-?\d+|true|false|null)$/;

/** Says of each key that stands twice in one mapping so, by the line of its value, as Go's YAML decoder does. */
export function repeatedYamlKeys(text: string): string[] {
  const walk = new KeyWalk(text);
  walk.document();
  return walk.problems;
}

/** The same as one error: yaml.UnmarshalStrict. */
export function repeatedKeysError(problems: readonly string[]): string {
  return ['yaml: unmarshal errors:', ...problems].join('\n  ');
}

/** A value that was read: how a key of this form is shown, and where it begins, unless it is empty. */
interface Walked {
  readonly shown: string;
  readonly start: number;
}

class KeyWalk {
  readonly problems: string[] = [];
  private readonly source: ReturnType<typeof yamlEvents>;
  private at = 0;

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

  private mapping(): void {
    const seen = new Set<string>();
    while (!this.isEnd) {
      const { shown, start } = this.value();
      const { start: below } = this.value();
      const line = this.text.slice(0, Math.max(start, below)).split('\n').length;
      if (seen.has(shown)) this.problems.push(`line ${line}: key ${shown} already set in map`);
      if (shown !== '') seen.add(shown);
    }
    this.at++;
  }
}
