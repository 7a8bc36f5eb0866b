import { readFileSync } from 'node:fs';
import { parse } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A line of a module. */
export interface ModuleLine {
  readonly path: string;
  readonly line: number | undefined;
}

/**
 * Returns the innermost location of a failed import that is in the user's code, mapped to the source.
 *
 * @param isOwn - returns whether a module is the user's, not one of a package
 */
export function errorPlace(message: string, stack: string, isOwn: (path: string) => boolean): ModuleLine | undefined {
  return importOf(message, isOwn) ?? frameOf(stack, message, isOwn);
}

/** The error of a module that does not exist has no frame, but names the module that imports it. */
function importOf(message: string, isOwn: (path: string) => boolean): ModuleLine | undefined {
  const [, missing, importer] = /^Cannot find (?:module|package) '([^']+)' imported from (\S.*)$/.exec(message) ?? [];
  if (missing === undefined || importer === undefined) return undefined;
  const path = toPath(importer);
  if (!isOwn(path)) return undefined;
  return { path, line: firstLine(path, 1, (text) => specifiersIn(text).some((each) => imports(each, missing))) };
}

function specifiersIn(text: string): string[] {
  return Array.from(text.matchAll(/(['"])([^'"]+)\1/g), ([, , specifier = '']) => specifier);
}

/** @param missing the name of a package, or the path that a relative import leads to */
function imports(specifier: string, missing: string): boolean {
  if (!specifier.startsWith('.')) return specifier === missing || specifier.startsWith(`${missing}/`);
  return parse(specifier).name === parse(missing).name;
}

/** The error of a missing export has the location on the first line of its stack instead of in a frame. */
function frameOf(stack: string, message: string, isOwn: (path: string) => boolean): ModuleLine | undefined {
  for (const line of stack.split('\n')) {
    const [, place, number] = /((?:file:)?\/[^()]+?):(\d+)(?::\d+)?\)?$/.exec(line) ?? [];
    if (place === undefined || number === undefined) continue;
    const path = toPath(place);
    if (isOwn(path)) return { path, line: firstUse(message, path, Number(number)) };
  }
  return undefined;
}

/** The compiler maps the arguments of all decorators of a class to one line; the class is used there or below. */
function firstUse(message: string, path: string, line: number): number {
  const [, later] = /Cannot access '([^']+)' before initialization/.exec(message) ?? [];
  if (later === undefined) return line;
  return firstLine(path, line, (text) => text.split(/[^\w$]+/).includes(later)) ?? line;
}

function firstLine(path: string, from: number, isMatch: (text: string) => boolean): number | undefined {
  const index = linesOf(path).findIndex((text, at) => at + 1 >= from && isMatch(text));
  return index < 0 ? undefined : index + 1;
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split(/\r?\n/);
  } catch {
    return [];
  }
}

function toPath(place: string): string {
  return place.startsWith('file:') ? fileURLToPath(place) : place;
}
