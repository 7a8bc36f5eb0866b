import { yamlEvents } from './yaml.js';

/** A node of a YAML text with its position. Scalars and aliases have neither entries nor items. */
export interface YamlNode {
  /** Offset of the first character; -1 for an alias. */
  readonly start: number;
  /** The entries of a mapping by key; of duplicate keys the last one. */
  readonly entries: ReadonlyMap<string, YamlNode & { readonly keyStart: number }>;
  /** The items of a sequence. */
  readonly items: readonly YamlNode[];
}

type Events = ReturnType<typeof yamlEvents>;

/** Returns the roots of the documents of a valid YAML text, without empty documents, as `parseYamlDocuments` does. */
export function yamlRoots(text: string): YamlNode[] {
  const source = yamlEvents(text);
  const roots: YamlNode[] = [];
  const reader = new NodeReader(source);
  for (const [index, { type }] of source.events.entries()) {
    const root = source.events[index + 1];
    if (type !== source.types.DOCUMENT || root === undefined || root.type === source.types.POP) continue;
    const isEmpty = root.type === source.types.SCALAR && /^(?:|~|null|Null|NULL)$/.test(source.valueOf(root));
    if (!isEmpty) roots.push(reader.read(index + 1).node);
  }
  return roots;
}

/** A node, and the index of the event after it. */
interface Read {
  readonly node: YamlNode;
  readonly next: number;
}

class NodeReader {
  constructor(private readonly source: Events) {}

  read(index: number): Read {
    const { events, types } = this.source;
    const event = events[index];
    if (event?.type === types.MAPPING) return this.mapping(index);
    if (event?.type === types.SEQUENCE) return this.sequence(index);
    const start = event?.type === types.SCALAR ? event.valueStart : -1;
    return { node: { start, entries: new Map(), items: [] }, next: index + 1 };
  }

  private mapping(index: number): Read {
    const { events, types, valueOf } = this.source;
    const entries = new Map<string, YamlNode & { readonly keyStart: number }>();
    let at = index + 1;
    while (events[at] && events[at]?.type !== types.POP) {
      const key = events[at];
      const value = this.read(this.read(at).next);
      if (key?.type === types.SCALAR) entries.set(valueOf(key), { ...value.node, keyStart: key.valueStart });
      at = value.next;
    }
    return { node: { start: startOf(events[index]), entries, items: [] }, next: at + 1 };
  }

  private sequence(index: number): Read {
    const { events, types } = this.source;
    const items: YamlNode[] = [];
    let at = index + 1;
    while (events[at] && events[at]?.type !== types.POP) {
      const { node, next } = this.read(at);
      items.push(node);
      at = next;
    }
    return { node: { start: startOf(events[index]), entries: new Map(), items }, next: at + 1 };
  }
}

function startOf(event: Events['events'][number] | undefined): number {
  return event && 'start' in event ? event.start : -1;
}
