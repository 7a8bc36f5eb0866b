import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The source map of a module, with the address that its sources are relative to. */
interface ModuleMap {
  readonly map: SourceMap;
  readonly address: string;
}

/** A line and a column, counted from 1. */
interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * Makes the stack traces of errors name the source lines of modules that have a source map beside them.
 *
 * Maps are read when the first error needs them. `setSourceMapsSupport` of Node reads the map of each module that is
 * loaded, which takes 8 MB of memory in an operator that waits.
 */
export function mapStackTraces(): void {
  const maps = new Map<string, ModuleMap | undefined>();
  const mapOf = (url: string): ModuleMap | undefined => {
    if (!maps.has(url)) maps.set(url, readMap(url));
    return maps.get(url);
  };
  Error.prepareStackTrace = (error, frames) =>
    [headOf(error), ...frames.map((frame) => `    at ${describeFrame(frame, mapOf)}`)].join('\n');
}

/** The first line, as Node writes it: with the code of its own errors. */
function headOf(error: Error): string {
  const { name, message, code } = error as NodeJS.ErrnoException;
  if (typeof code === 'string' && code.startsWith('ERR_')) return `${name} [${code}]: ${message}`;
  return Error.prototype.toString.call(error);
}

function describeFrame(frame: NodeJS.CallSite, mapOf: (url: string) => ModuleMap | undefined): string {
  const text = (frame as { readonly toString: () => string }).toString();
  const url = frame.getScriptNameOrSourceURL();
  const [line, column] = [frame.getLineNumber(), frame.getColumnNumber()];
  if (url === null || line === null || column === null || !url.startsWith('file:')) return text;
  const source = sourceOf(mapOf(url), { line, column });
  return source === undefined ? text : text.replace(`${url}:${line}:${column}`, () => source);
}

/** Returns the place in the source, such as `/operator/operators/podset.ts:12:5`; undefined for code without a source. */
function sourceOf(mapped: ModuleMap | undefined, { line, column }: Position): string | undefined {
  const entry = mapped?.map.findEntry(line - 1, column - 1);
  if (!mapped || !entry || !('originalSource' in entry)) return undefined;
  const path = fileURLToPath(new URL(entry.originalSource, mapped.address));
  return `${path}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}

/** Returns undefined without a map, and for one that cannot be read: the frame then names the position in the module. */
function readMap(url: string): ModuleMap | undefined {
  const address = `${url}.map`;
  try {
    const path = fileURLToPath(address);
    if (!existsSync(path)) return undefined;
    const payload = JSON.parse(readFileSync(path, 'utf8')) as ConstructorParameters<typeof SourceMap>[0];
    return { map: new SourceMap(payload), address };
  } catch {
    return undefined;
  }
}
