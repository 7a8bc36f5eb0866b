import type { UnstructuredObject } from '../../api/objects/kube-object.js';

/** The ends of sentences: a mark before white space or the end, which excludes `1.5` and `pod.spec`. */
const SENTENCE_END = /[.!?](?=\s|$)|[。！？]/gu;

/** A description truncated to a number of characters: to whole sentences, otherwise to whole words and an ellipsis. */
export function shortDescription(text: string, maxLength: number): string {
  const characters = Array.from(text);
  if (characters.length <= maxLength) return text;
  const start = characters.slice(0, maxLength).join('');
  const [sentences] = [...text.matchAll(SENTENCE_END)]
    .map(({ index }) => index + 1)
    .filter((end) => end <= start.length)
    .slice(-1);
  if (sentences !== undefined) return text.slice(0, sentences);
  if (maxLength === 0) return '';
  const isWholeWord = /\s/u.test(characters[maxLength - 1] ?? '');
  const room = characters.slice(0, maxLength - 1).join('');
  return `${(isWholeWord ? room : room.replace(/\s+\S*$/u, '')).trimEnd()}…`;
}

/** Returns a CustomResourceDefinition with descriptions cut to the given length; 0 removes them. */
export function withShortDescriptions<T extends UnstructuredObject>(crd: T, maxLength: number): T {
  if (maxLength === Infinity) return crd;
  const { versions = [] } = crd['spec'] as { versions?: { schema?: { openAPIV3Schema?: unknown } }[] };
  const shortened = versions.map(({ schema, ...version }) => ({
    ...version,
    schema: { openAPIV3Schema: shortSchema(schema?.openAPIV3Schema, maxLength) },
  }));
  return { ...crd, spec: { ...(crd['spec'] as object), versions: shortened } };
}

/** Keywords that hold a schema, a list of schemas, or schemas by name. */
const SCHEMA = ['items', 'additionalProperties', 'not'];
const SCHEMAS = ['allOf', 'anyOf', 'oneOf'];

function shortSchema(schema: unknown, maxLength: number): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]: [string, unknown]): [string, unknown][] => {
      if (keyword === 'description' && typeof value === 'string') {
        const text = shortDescription(value, maxLength);
        return text === '' ? [] : [[keyword, text]];
      }
      return [[keyword, shortMember(keyword, value, maxLength)]];
    }),
  );
}

function shortMember(keyword: string, value: unknown, maxLength: number): unknown {
  if (SCHEMA.includes(keyword)) return shortSchema(value, maxLength);
  if (SCHEMAS.includes(keyword) && Array.isArray(value))
    return value.map((schema: unknown) => shortSchema(schema, maxLength));
  if (keyword !== 'properties' || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, schema]) => [name, shortSchema(schema as unknown, maxLength)]),
  );
}
