import { yamlRoots, type YamlNode } from './yaml-node.js';

/** A place in a text; both count from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** Finds the fields that errors of Kubernetes name in a valid YAML text. */
export class YamlPlaces {
  private readonly roots: readonly YamlNode[];
  private readonly lineStarts = [0];

  constructor(private readonly text: string) {
    this.roots = yamlRoots(text);
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) this.lineStarts.push(end + 1);
  }

  /**
   * Returns the place of a field such as `spec.ports[0].name` or `metadata.labels[app.example.com/x]`: that of its key or item,
   * or of the last value on the way to it that exists. Documents are counted as `parseYamlDocuments` returns them; undefined
   * for one that does not exist.
   */
  of(path: string, document = 0): TextPlace | undefined {
    const root = this.roots[document];
    return root && this.place(offsetOf(root, path, root.start));
  }

  private place(valueStart: number): TextPlace {
    const offset = /["']/.test(this.text[valueStart - 1] ?? '') ? valueStart - 1 : valueStart;
    let [low, high] = [0, this.lineStarts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (this.lineStarts[low] ?? 0) + 1 };
  }
}

/** @param start the offset of the node's key or item; an alias has none of its own */
function offsetOf(node: YamlNode, path: string, start: number): number {
  const [name = '', rest] = nextMember(node, path.replace(/^\./, ''));
  const entry = node.entries.get(name);
  if (entry) return offsetOf(entry, rest, entry.keyStart);
  const item = /^\d+$/.test(name) ? node.items[Number(name)] : undefined;
  return item ? offsetOf(item, rest, item.start === -1 ? start : item.start) : start;
}

/** Splits off the member that a path starts with; names of members may contain dots. */
function nextMember({ entries }: YamlNode, path: string): [name: string | undefined, rest: string] {
  const [bracket, inner] = /^\["?([^\]"]*)"?\]/.exec(path) ?? [];
  if (bracket !== undefined) return [inner, path.slice(bracket.length)];
  const found = [...entries.keys()].filter(
    (name) => path.startsWith(name) && /^(?:$|[.[])/.test(path.slice(name.length)),
  );
  const [name] = found.sort((a, b) => b.length - a.length);
  return [name, path.slice(name?.length)];
}
