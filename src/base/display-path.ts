import { isAbsolute, relative } from 'node:path';

/** Returns a path relative to the working directory if it is inside it, and unchanged otherwise. */
export function displayPath(path: string, cwd: string = process.cwd()): string {
  const short = relative(cwd, path);
  return short === '' || short.startsWith('..') || isAbsolute(short) ? path : short;
}
