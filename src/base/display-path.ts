import { isAbsolute, relative } from 'node:path';

/** A path relative to the working directory when it is inside it, else unchanged. */
export function displayPath(path: string, cwd: string = process.cwd()): string {
  const short = relative(cwd, path);
  return short === '' || short.startsWith('..') || isAbsolute(short) ? path : short;
}
