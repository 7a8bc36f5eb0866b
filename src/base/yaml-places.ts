import type { Event } from 'js-yaml';
import { yamlEvents } from './yaml.js';

/** A value in a YAML text: where its key or item starts, from 1, and the values below it by key or index. */
export interface YamlPlace {
  readonly line: number;
  readonly column: number;
  readonly members: ReadonlyMap<string, YamlPlace>;
}

/** Returns the root of each document of a valid YAML text, without empty documents, as `parseYamlDocuments` does. */
export function yamlPlaces(text: string): YamlPlace[] {
  return new NodeReader(text).documents();
}

/**
 * Returns the value at a path of a Kubernetes error, such as `spec.ports[0].name` or `metadata.labels[app.example.com/x]`,
 * or the last value on the way to it that exists.
 */
export function placeAt(root: YamlPlace, path: string): YamlPlace {
  const [name, rest] = nextMember(root, path.replace(/^\./, ''));
  const member = name === undefined ? undefined : root.members.get(name);
  return member && name !== '' ? placeAt(member, rest) : root;
}

/** Splits off the member that a path starts with; names of members may contain dots. */
function nextMember({ members }: YamlPlace, path: string): [name: string | undefined, rest: string] {
  const [bracket, inner] = /^\["?([^\]"]*)"?\]/.exec(path) ?? [];
  if (bracket !== undefined) return [inner, path.slice(bracket.length)];
  const starts = [...members.keys()].filter((name) => path === name || /^[.[]/.test(path.slice(name.length)));
  const [name] = starts.filter((each) => path.startsWith(each)).sort((a, b) => b.length - a.length);
  return [name, path.slice(name?.length)];
}

class NodeReader {
  private at = 0;
  private readonly source: ReturnType<typeof yamlEvents>;
  private readonly lineStarts = [0];

  constructor(private readonly text: string) {
    this.source = yamlEvents(text);
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) this.lineStarts.push(end + 1);
  }

  documents(): YamlPlace[] {
    const { events, types } = this.source;
    const roots: YamlPlace[] = [];
    for (let event = events[this.at]; event !== undefined; event = events[this.at]) {
      if (event.type === types.DOCUMENT || event.type === types.POP) this.at++;
      else {
        const isEmpty = event.type === types.SCALAR && /^(|~|null|Null|NULL)$/.test(this.source.valueOf(event));
        const root = this.node(this.startOf(event));
        if (!isEmpty) roots.push(root);
      }
    }
    return roots;
  }

  /** Reads the value at the next event, which was introduced at an offset of the text. */
  private node(start: number): YamlPlace {
    const { events, types } = this.source;
    const event = events[this.at++];
    const members = new Map<string, YamlPlace>();
    if (event?.type === types.MAPPING || event?.type === types.SEQUENCE) {
      for (let next = events[this.at]; next && next.type !== types.POP; next = events[this.at]) {
        const from = this.startOf(next);
        members.set(event.type === types.SEQUENCE ? String(members.size) : this.key(next), this.node(from));
      }
      this.at++;
    }
    return { ...this.position(start), members };
  }

  /** Reads a key; one that is a collection has no name, and no error is about its value. */
  private key(event: Event): string {
    if (event.type === this.source.types.SCALAR) {
      this.at++;
      return this.source.valueOf(event);
    }
    this.node(0);
    return '';
  }

  private startOf(event: Event): number {
    const { types } = this.source;
    if (event.type === types.SCALAR)
      return /["']/.test(this.text[event.valueStart - 1] ?? '') ? event.valueStart - 1 : event.valueStart;
    if (event.type === types.MAPPING || event.type === types.SEQUENCE) return event.start;
    return event.type === types.ALIAS ? event.anchorStart : 0;
  }

  private position(offset: number): Pick<YamlPlace, 'line' | 'column'> {
    let [low, high] = [0, this.lineStarts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (this.lineStarts[low] ?? 0) + 1 };
  }
}
