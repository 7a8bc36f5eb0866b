import type { DeclaredType } from './declared-type.js';
import { DESCRIPTION } from './decorators/description.js';
import { ownMetadata } from './metadata.js';

/** Facts about a class that are in its source and lost when it is compiled; the loader registers them. */
export interface ClassDocs {
  readonly description?: string;
  readonly properties: Readonly<Record<string, string>>;
  /** By property name; properties without any of these facts are left out. */
  readonly declared?: Readonly<Record<string, DeclaredType>>;
  readonly source?: SourceLines;
}

/** Positions in a source file; lines count from 1. */
export interface SourceLines {
  /** Absolute path. */
  readonly file: string;
  /** Line of the class's name. */
  readonly line: number;
  /** Lines of properties and methods, by name. */
  readonly members: Readonly<Record<string, number>>;
  /** Lines of the class's decorators, by name and in source order. */
  readonly decorators: Readonly<Record<string, readonly number[]>>;
  /**
   * The declarations, such as `spec!: Spec`, of public instance properties without decorators and initializers, by name.
   * Left out without any.
   */
  readonly undecorated?: Readonly<Record<string, string>>;
}

/** Property of `globalThis` with the registered facts: a WeakMap from class to ClassDocs. */
export const DOCS = Symbol.for('kindwright.docs');

/** The registered facts, with a list of their classes. */
export class ListedDocs extends WeakMap<object, ClassDocs> {
  classes: readonly object[] = [];

  /** Takes the place of the facts of this process, before a loader registers any. */
  static install(): ListedDocs {
    const scope = globalThis as { [DOCS]?: WeakMap<object, ClassDocs> };
    if (scope[DOCS] instanceof ListedDocs) return scope[DOCS];
    const listed = new ListedDocs();
    scope[DOCS] = listed;
    return listed;
  }

  override set(target: object, docs: ClassDocs): this {
    this.classes = [...this.classes, target];
    return super.set(target, docs);
  }

  /** Removes the classes of files from the list, before the files are loaded again. */
  forget(isForgotten: (file: string) => boolean): void {
    this.classes = this.classes.filter((target) => !isForgotten(this.get(target)?.source?.file ?? ''));
  }
}

/** The description of a class: `@Description`, otherwise the doc comment. */
export function describeClass(target: object): string | undefined {
  const [stated] = ownMetadata(DESCRIPTION, target);
  const comment = classDocs(target)?.description;
  return stated ?? (comment === undefined ? undefined : tidy(comment));
}

/** The doc comment of a property. */
export function describeProperty(target: object, property: string): string | undefined {
  const properties = classDocs(target)?.properties ?? {};
  const text = Object.hasOwn(properties, property) ? properties[property] : undefined;
  return text === undefined ? undefined : tidy(text);
}

/** Facts from a property's declaration; empty where no loader has read its source. */
export function declaredType(target: object, property: string): DeclaredType {
  const declared = classDocs(target)?.declared ?? {};
  return (Object.hasOwn(declared, property) ? declared[property] : undefined) ?? {};
}

/** The registered facts of a class; undefined where no loader has read its source. */
export function classDocs(target: object): ClassDocs | undefined {
  const { [DOCS]: docs } = globalThis as { [DOCS]?: WeakMap<object, ClassDocs> };
  return docs?.get(target);
}

/**
 * Formats a comment as controller-gen does: without lines that start with TODO, up to a line of `---`. Links are
 * replaced by their text.
 */
function tidy(comment: string): string | undefined {
  const lines: string[] = [];
  let isCode = false;
  for (const line of comment.split(/\r?\n/).map((text) => text.trim())) {
    if (/^(?:```|~~~)/.test(line)) isCode = !isCode;
    if (!isCode && line.startsWith('---')) break;
    if (isCode || !line.startsWith('TODO')) lines.push(line);
  }
  const text = lines.join('\n').trim();
  return text === '' ? undefined : text.replace(/\{@link(?:code|plain)?\s+(?:[^}|\s]+[\s|]+)?([^}]+?)\s*\}/g, '$1');
}
