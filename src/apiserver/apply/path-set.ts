import { isJsonObject, type JsonObject } from '../objects/api-object.js';

/**
 * A set of field paths: a trie with path elements as edges, in the notation of FieldsV1: `f:name`, `k:{"name":"x"}`,
 * `v:"x"`, `i:0`.
 */
export class PathSet {
  readonly children = new Map<string, PathSet>();

  /** @param isMember whether the path to this node is in the set */
  constructor(public isMember = false) {}

  get isEmpty(): boolean {
    if (this.isMember) return false;
    for (const child of this.children.values()) if (!child.isEmpty) return false;
    return true;
  }

  insert(path: readonly string[]): void {
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- walks down from here
    let node: PathSet = this;
    for (const element of path) {
      let child = node.children.get(element);
      if (!child) node.children.set(element, (child = new PathSet()));
      node = child;
    }
    node.isMember = true;
  }

  union(other: PathSet): PathSet {
    const result = new PathSet(this.isMember || other.isMember);
    for (const [element, child] of this.children) {
      const twin = other.children.get(element);
      result.children.set(element, twin ? child.union(twin) : child);
    }
    for (const [element, child] of other.children) if (!this.children.has(element)) result.children.set(element, child);
    return result;
  }

  intersection(other: PathSet): PathSet {
    const result = new PathSet(this.isMember && other.isMember);
    for (const [element, child] of this.children) {
      const twin = other.children.get(element);
      if (twin) result.add(element, child.intersection(twin));
    }
    return result;
  }

  difference(other: PathSet): PathSet {
    const result = new PathSet(this.isMember && !other.isMember);
    for (const [element, child] of this.children) {
      const twin = other.children.get(element);
      result.add(element, twin ? child.difference(twin) : child);
    }
    return result;
  }

  /** Returns the set without the members of `other` and everything below them. */
  recursiveDifference(other: PathSet): PathSet {
    const result = new PathSet(this.isMember && !other.isMember);
    for (const [element, child] of this.children) {
      const twin = other.children.get(element);
      if (!twin) result.add(element, child);
      else if (!twin.isMember) result.add(element, child.recursiveDifference(twin));
    }
    return result;
  }

  equals(other: PathSet): boolean {
    return this.difference(other).isEmpty && other.difference(this).isEmpty;
  }

  /** All paths of the set as lists of elements, in Go's order: at each level, paths that end there come first. */
  *paths(prefix: readonly string[] = []): Generator<readonly string[]> {
    const elements = sortElements([...this.children.keys()]);
    for (const element of elements) if (this.children.get(element)?.isMember) yield [...prefix, element];
    for (const element of elements) yield* this.children.get(element)?.paths([...prefix, element]) ?? [];
  }

  toFieldsV1(): JsonObject {
    const fields: JsonObject = {};
    if (this.isMember && this.children.size > 0) fields['.'] = {};
    for (const element of sortElements([...this.children.keys()])) {
      const child = this.children.get(element);
      if (child && !child.isEmpty) fields[element] = child.toFieldsV1();
    }
    return fields;
  }

  static fromFieldsV1(fields: unknown): PathSet {
    const set = new PathSet();
    if (!isJsonObject(fields)) return set;
    for (const [element, below] of Object.entries(fields)) {
      if (element === '.') {
        set.isMember = true;
        continue;
      }
      const child = PathSet.fromFieldsV1(below);
      if (child.children.size === 0) child.isMember = true;
      set.children.set(element, child);
    }
    return set;
  }

  private add(element: string, child: PathSet): void {
    if (!child.isEmpty) this.children.set(element, child);
  }
}

/** Sorts elements in Go's order: fields, then keys, values and indexes. */
function sortElements(elements: string[]): string[] {
  return elements.length < 2 ? elements : elements.sort(compareElements);
}

const ORDER = 'fkvi';

function compareElements(a: string, b: string): number {
  const kind = ORDER.indexOf(a.charAt(0)) - ORDER.indexOf(b.charAt(0));
  if (kind !== 0) return kind;
  if (a.startsWith('i:')) return Number(a.slice(2)) - Number(b.slice(2));
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Formats a path as in conflicts: `.spec.containers[name="x"].image`. */
export function formatPath(path: readonly string[]): string {
  return path.map(formatElement).join('');
}

function formatElement(element: string): string {
  const body = element.slice(2);
  switch (element.charAt(0)) {
    case 'f':
      return `.${body}`;
    case 'k': {
      const keys = JSON.parse(body) as JsonObject;
      return `[${Object.entries(keys)
        .map(([name, value]) => `${name}=${valueText(value)}`)
        .join(',')}]`;
    }
    case 'v':
      return `[=${valueText(JSON.parse(body))}]`;
    default:
      return `[${body}]`;
  }
}

/** Formats a value like value.ToString of structured-merge-diff, which prints no separator between map entries. */
function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${(value as unknown[]).map(valueText).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  return Object.entries(value)
    .map(([name, member]) => `${name}=${valueText(member)}`)
    .join('');
}
