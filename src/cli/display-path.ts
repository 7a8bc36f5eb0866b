import { isAbsolute, relative } from 'node:path';

/** A path as its user would type it: relative to the working directory when it is inside. */
export function displayPath(path: string, cwd: string = process.cwd()): string {
  const short = relative(cwd, path);
  return short === '' || short.startsWith('..') || isAbsolute(short) ? path : short;
}
