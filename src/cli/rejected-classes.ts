import { CustomResource } from '../resource/custom-resource.js';
import type { ListedDocs } from '../resource/doc-comments.js';
import { located } from '../resource/location.js';
import { ObjectController } from '../resource/object-controller.js';
import { isAnnotated, isOperator } from './operator-class.js';

type AnyClass = abstract new (...args: never[]) => object;

/** A loaded file and the values that it exports. */
export interface LoadedFile {
  readonly path: string;
  readonly exported: readonly unknown[];
}

/** Longer lists hide the hint. */
const MAX_LISTED = 10;

/** The classes of files without an operator, one line each, with the reason why they are not operators. */
export function rejectedClasses(files: readonly LoadedFile[], docs: ListedDocs): string[] {
  const lines = files.flatMap((file) => classesOf(file, docs).map((target) => located({ target }, reasonFor(target))));
  const listed = [...new Set(lines)];
  const more = listed.length - MAX_LISTED;
  return more > 0 ? [...listed.slice(0, MAX_LISTED), `and ${more} more`] : listed;
}

/** Returns true for a file without classes that are meant as operators; the other files may import it. */
export function isHelper(file: LoadedFile, docs: ListedDocs): boolean {
  const bases = [CustomResource, ObjectController];
  return !classesOf(file, docs).some((target) => bases.some((base) => target.prototype instanceof base));
}

/** The classes that a file exports, and its other classes with decorators. */
function classesOf({ path, exported }: LoadedFile, docs: ListedDocs): AnyClass[] {
  const own = docs.classes.filter((target) => docs.get(target)?.source?.file === path);
  return [...new Set([...exported, ...own])].filter(isClass);
}

function isClass(value: unknown): value is AnyClass {
  return typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value));
}

/** An operator is among them only if it is not exported. */
function reasonFor(target: AnyClass): string {
  const value: unknown = target;
  if (isAnnotated(value))
    return isOperator(value)
      ? `is not exported; write: export class ${target.name}`
      : 'has @Kind but does not extend CustomResource';
  if (target.prototype instanceof CustomResource) return 'has no @Kind({ group, version })';
  if (target.prototype instanceof ObjectController) return 'has no @Controller({ for })';
  return 'extends neither CustomResource nor ObjectController, and has no @Admission';
}
