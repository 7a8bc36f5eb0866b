import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { displayPath } from './display-path.js';

/** A call in the user's own code. */
export interface UserFrame {
  /** The function, such as `async PodSet.reconcile`; empty at the top level of a module. */
  readonly caller: string;
  /** Such as `operators/podset.ts:31:7`, relative to the working directory. */
  readonly location: string;
}

const PACKAGE_ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The folders of this package's modules, and of the sources that their source maps name. */
const PACKAGE_FOLDERS = ['dist', 'src'].map((folder) => join(PACKAGE_ROOT, folder) + sep);

const FRAME = /^ +at (?:(?<caller>.+) \()?(?<path>(?:file:\/\/)?\/[^()]+?|[A-Za-z]:\\[^()]+?):(?<position>\d+:\d+)\)?$/;

/**
 * Returns the frames of an error's stack in the user's own code, innermost first.
 *
 * Frames of this package, of other packages in `node_modules` and of Node are omitted. Source maps have been applied
 * if the process supports them. Never throws.
 */
export function userFrames(error: unknown): UserFrame[] {
  const frames = stackLines(error).map(frameOf);
  return frames.filter((frame) => frame !== undefined);
}

/** Returns the location of the innermost frame of the user's own code; undefined when the stack has no such frame. */
export function userLocation(error: unknown): string | undefined {
  return userFrames(error)[0]?.location;
}

/**
 * Returns the lines of an error's stack from the innermost frame of the user's own code; empty without such a frame.
 */
export function linesFromUserCode(error: unknown): string[] {
  const lines = stackLines(error);
  const first = lines.findIndex((line) => frameOf(line) !== undefined);
  return first === -1 ? [] : lines.slice(first);
}

/** Returns the lines of a stack without the message, which may have several lines. */
function stackLines(error: unknown): string[] {
  try {
    const { stack, message } = error as { stack?: unknown; message?: unknown };
    if (typeof stack !== 'string') return [];
    const start = typeof message === 'string' && stack.includes(message) ? stack.indexOf(message) + message.length : 0;
    return stack.slice(start).split('\n').slice(1);
  } catch {
    return [];
  }
}

function frameOf(line: string): UserFrame | undefined {
  const { caller = '', path: place, position = '' } = FRAME.exec(line)?.groups ?? {};
  if (place === undefined) return undefined;
  const path = pathOf(place);
  if (path === undefined || isOfPackage(path)) return undefined;
  return { caller, location: `${displayPath(path)}:${position}` };
}

function isOfPackage(path: string): boolean {
  return PACKAGE_FOLDERS.some((folder) => path.startsWith(folder)) || /[\\/]node_modules[\\/]/.test(path);
}

/** Module runners such as Vite's add a query to the URL. */
function pathOf(place: string): string | undefined {
  const withoutQuery = place.replace(/\?.*$/, '');
  try {
    return withoutQuery.startsWith('file:') ? fileURLToPath(withoutQuery) : withoutQuery;
  } catch {
    return undefined;
  }
}
