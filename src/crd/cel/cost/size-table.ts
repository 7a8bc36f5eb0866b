import { ACCUMULATOR, type Expression } from '../syntax/expression.js';
import type { CelType } from '../check/cel-type.js';
import type { DeclType } from '../check/decl-type.js';
import { fixed, type Range } from './estimate.js';

/** The sizes of the keys and values of a list or map. */
export interface EntrySize {
  readonly isList: boolean;
  readonly key: Range;
  readonly value: Range;
}

interface Local {
  readonly path: readonly string[];
  readonly size: Range | undefined;
  readonly entries: EntrySize | undefined;
}

/** The known sizes of values during cost estimation, and their schema paths. */
export class SizeTable {
  private readonly paths = new Map<Expression, readonly string[]>();
  private readonly sizes = new Map<Expression, Range>();
  private readonly entrySizes = new Map<Expression, EntrySize>();
  private readonly locals = new Map<string, Local[]>();

  constructor(
    private readonly types: ReadonlyMap<Expression, CelType>,
    private readonly root: DeclType,
  ) {}

  local(name: string): Local | undefined {
    return this.locals.get(name)?.at(-1);
  }

  pushLocal(name: string, path: readonly string[], size?: Range, entries?: EntrySize): void {
    this.locals.set(name, [...(this.locals.get(name) ?? []), { path, size, entries }]);
  }

  popLocal(name: string): void {
    this.locals.get(name)?.pop();
  }

  path(node: Expression): readonly string[] {
    const local = node.kind === 'ident' ? this.local(node.name) : undefined;
    return local?.path ?? this.paths.get(node) ?? [];
  }

  setPath(node: Expression, path: readonly string[]): void {
    this.paths.set(node, path);
  }

  /** Returns the path of a value; empty for the accumulator of a macro. */
  visiblePath(node: Expression): readonly string[] {
    const path = this.path(node);
    return path[0] === ACCUMULATOR ? [] : path;
  }

  size(node: Expression): Range | undefined {
    const known = this.sizes.get(node) ?? literalSize(node);
    if (known) return known;
    const declared = this.declaredSize(this.path(node));
    if (declared) {
      this.sizes.set(node, declared);
      return declared;
    }
    const type = this.types.get(node);
    if (type && isScalar(type)) return fixed(1);
    return node.kind === 'ident' ? this.local(node.name)?.size : undefined;
  }

  setSize(node: Expression, size: Range): void {
    this.sizes.set(node, size);
  }

  entries(node: Expression): EntrySize | undefined {
    const local = node.kind === 'ident' ? this.local(node.name) : undefined;
    return this.entrySizes.get(node) ?? local?.entries;
  }

  setEntries(node: Expression, entries: EntrySize): void {
    this.entrySizes.set(node, entries);
  }

  copy(to: Expression, from: Expression): void {
    const [size, entries] = [this.size(from), this.entries(from)];
    if (size) this.setSize(to, size);
    if (entries) this.setEntries(to, entries);
  }

  /** Returns the size that the schema allows at a path; the first segment is the variable. */
  declaredSize(path: readonly string[]): Range | undefined {
    if (path.length === 0) return undefined;
    let node: DeclType | undefined = this.root;
    for (const segment of path.slice(1)) {
      if (segment === '@items' || segment === '@values') node = node.element;
      else if (segment === '@keys') node = node.key;
      else node = node.fields?.get(segment);
      if (!node) return undefined;
    }
    return { min: 0, max: node.maxElements };
  }
}

function literalSize(node: Expression): Range | undefined {
  if (node.kind === 'list') return fixed(node.items.length);
  if (node.kind === 'map') return fixed(node.entries.length);
  if (node.kind !== 'literal') return undefined;
  const { value } = node;
  if (typeof value === 'string') return fixed(Array.from(value).length);
  return value instanceof Uint8Array ? fixed(value.length) : fixed(1);
}

function isScalar(type: CelType): boolean {
  if (type.kind === 'opaque' && type.name === 'optional_type') return type.params.every(isScalar);
  return ['bool', 'double', 'duration', 'int', 'timestamp', 'uint'].includes(type.kind);
}
