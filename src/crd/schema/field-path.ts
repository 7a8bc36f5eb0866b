import { valuesOf, type SchemaProps } from '../schema-props.js';

/** The schema at the end of a path, or an error. */
export type ResolvedPath =
  | {
      readonly error?: undefined;
      /** Normalized path: names after dots, map keys in brackets. */
      readonly path: string;
      readonly segments: readonly string[];
      readonly schema: SchemaProps;
    }
  | { readonly error: string };

const ENDED = 'unexpected end of JSON path';
const NO_FIELD = 'does not refer to a valid field';
const TOKEN = /'(?:[^'\\]|\\.)*'|'[^]*|[.[\]]|[^.[\]]+/g;

/** Resolves a path such as `.spec.names['a.b']` in a schema: ValidFieldPath of apiextensions' schema/cel. */
export function resolveFieldPath(text: string, root: SchemaProps, options = { allowsKeys: true }): ResolvedPath {
  const tokens = text.match(TOKEN) ?? [];
  const segments: string[] = [];
  let [schema, path, at] = [root, '', 0];
  while (at < tokens.length) {
    const step = readStep(tokens, at, options.allowsKeys);
    if ('error' in step) return step;
    const next = childOf(schema, step.name);
    if (!next) return { error: NO_FIELD };
    path += next.isNamed ? (path === '' ? '' : '.') + step.name : `[${step.name}]`;
    segments.push(step.name);
    schema = next.schema;
    at += step.length;
  }
  return { path, segments, schema };
}

type Step = { readonly name: string; readonly length: number } | { readonly error: string };

function readStep(tokens: readonly string[], at: number, allowsKeys: boolean): Step {
  const [first = '', name, end] = tokens.slice(at, at + 3);
  if (first !== '.' && first !== '[') return { error: `expected [ or . but got: ${first}` };
  if (first === '[' && !allowsKeys) return { error: 'array notation is not allowed' };
  if (name === undefined) return { error: ENDED };
  return first === '.' ? { name, length: 2 } : readKey(name, end);
}

function readKey(quoted: string, end: string | undefined): Step {
  if (!/^'.*'$/s.test(quoted)) return { error: `expected single quoted string but got ${quoted}` };
  const name = unescapeQuotes(quoted.slice(1, -1));
  if (name === undefined) return { error: 'invalid string literal: invalid escape sequence' };
  if (end === undefined) return { error: ENDED };
  return end === ']' ? { name, length: 3 } : { error: `expected ] but got ${end}` };
}

function unescapeQuotes(text: string): string | undefined {
  const unescaped = text.replaceAll(/\\(['\\])/g, '$1');
  return /\\(?!['\\])/.test(text.replaceAll('\\\\', '')) ? undefined : unescaped;
}

function childOf(schema: SchemaProps, name: string): { schema: SchemaProps; isNamed: boolean } | undefined {
  const { properties } = schema;
  if (properties && Object.keys(properties).length > 0) {
    const named = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return named && { schema: named, isNamed: true };
  }
  const values = typeof schema.additionalProperties === 'boolean' ? {} : valuesOf(schema);
  return values && { schema: values, isNamed: false };
}
