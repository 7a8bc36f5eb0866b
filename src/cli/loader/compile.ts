import { transformSync, type Options } from '@swc/core';
import { pathToFileURL } from 'node:url';
import { OperatorError } from '../../base/operator-error.js';
import { displayPath } from '../../base/display-path.js';
import { findDocComments, type ClassDocs } from './doc-comments.js';

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

/**
 * Compiles a TypeScript module to one that Node runs: decorators with their metadata, doc comments, inline source map.
 *
 * What is generated for doc comments stands at the end, where it moves no line.
 * @throws OperatorError at a syntax error.
 */
export function compile(path: string, source: string): string {
  const docs = findDocComments(path, source);
  const { code, map } = transform(path, source);
  const mapUrl = `data:application/json;base64,${Buffer.from(map).toString('base64')}`;
  return `${withLaterClasses(code)}${registration(docs)}\n//# sourceMappingURL=${mapUrl}\n`;
}

function transform(path: string, source: string): { code: string; map: string } {
  try {
    const { code, map = '' } = transformSync(source, {
      ...SWC_OPTIONS,
      filename: path,
      sourceFileName: pathToFileURL(path).href,
    });
    return { code, map };
  } catch (cause) {
    const [report = ''] = (cause as Error).message.split('\n\nCaused by:');
    throw new OperatorError(`${displayPath(path)}: ${report.trim()}`, { code: 'E_SYNTAX', cause });
  }
}

/** Notes of types as they stand throw where they name a class that is defined only later; such a type is undefined. */
function withLaterClasses(code: string): string {
  return code.replaceAll(
    /(?<=_ts_metadata\("design:type", )typeof ([\w$.]+) === "undefined" \? Object : \1(?=\))/g,
    '(()=>{ try { return $&; } catch { return undefined; } })()',
  );
}

function registration(docs: readonly ClassDocs[]): string {
  if (docs.length === 0) return '';
  const calls = docs.map(({ className, ...entry }) => `__docs.set(${className}, ${JSON.stringify(entry)});`);
  return `{ const __docs = globalThis[Symbol.for('kindwright.docs')] ??= new WeakMap();\n${calls.join('\n')} }`;
}
