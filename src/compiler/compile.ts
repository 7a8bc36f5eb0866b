import { transformSync, type Options } from '@swc/core';
import { pathToFileURL } from 'node:url';
import { OperatorError } from '../base/operator-error.js';
import { displayPath } from '../base/display-path.js';
import { findDocComments, type NamedClassDocs } from './doc-comments.js';

const SWC_OPTIONS: Options = {
  swcrc: false,
  configFile: false,
  isModule: true,
  sourceMaps: true,
  inlineSourcesContent: true,
  module: { type: 'es6' },
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
};

/** A compiled module. */
export interface CompiledModule {
  readonly code: string;
  /** Source map, as JSON. */
  readonly map: string;
}

/**
 * Compiles a TypeScript module to JavaScript with decorator metadata. Code that registers doc comments, declared types
 * and source lines is appended at the end, so that no line numbers change.
 *
 * @param sourceName - name of the source in the map: a path, or a URL
 * @throws OperatorError for a syntax error, with file, line and column.
 */
export function compile(path: string, source: string, sourceName = path): CompiledModule {
  const docs = findDocComments(path, source);
  const { code, map } = transform(path, source, sourceName);
  return { code: `${withLaterClasses(code)}${registration(docs)}\n`, map };
}

/** Compiles a module like `compile`, with the source map in a comment at the end, for Node's loader and bundlers. */
export function compileWithInlineMap(path: string, source: string, sourceName = pathToFileURL(path).href): string {
  const { code, map } = compile(path, source, sourceName);
  return `${code}//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}\n`;
}

/** Compiles an ES module in JavaScript to CommonJS. */
export function toCommonJs(source: string, filename: string): CompiledModule {
  const { code, map = '' } = transformSync(source, {
    filename,
    swcrc: false,
    configFile: false,
    sourceMaps: true,
    jsc: { target: 'es2023' },
    module: { type: 'commonjs' },
  });
  return { code, map };
}

function transform(path: string, source: string, sourceFileName: string): CompiledModule {
  try {
    const { code, map = '' } = transformSync(source, {
      ...SWC_OPTIONS,
      filename: path,
      sourceFileName,
    });
    return { code, map };
  } catch (cause) {
    const [report = ''] = (cause as Error).message.split('\n\nCaused by:');
    throw new OperatorError(`${displayPath(path)}: ${report.trim()}`, { code: 'E_SYNTAX', cause });
  }
}

/** Type metadata that refers to a class defined later would throw; such a type is replaced by undefined. */
function withLaterClasses(code: string): string {
  return code.replaceAll(
    /(?<=_ts_metadata\("design:type", )typeof ([\w$.]+) === "undefined" \? Object : \1(?=\))/g,
    '(()=>{ try { return $&; } catch { return undefined; } })()',
  );
}

function registration(docs: readonly NamedClassDocs[]): string {
  if (docs.length === 0) return '';
  const calls = docs.map(({ className, ...entry }) => `__docs.set(${className}, ${JSON.stringify(entry)});`);
  return `{ const __docs = globalThis[Symbol.for('kindwright.docs')] ??= new WeakMap();\n${calls.join('\n')} }`;
}
