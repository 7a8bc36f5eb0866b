import type { JsonSchema } from '../../api/schema/json-schema.js';
import { deepEqual } from '../../base/deep-equal.js';
import { eachObject, isJsonObject, objectAt, stringAt, valueAt, type JsonObject } from '../../base/json-object.js';
import { OperatorError } from '../../base/operator-error.js';
import { parseYamlDocuments, stringifyYaml } from '../../base/yaml.js';
import { yamlRoots, type YamlNode } from '../../base/yaml-node.js';

/** The schemas of a kind by version, by `<kind>.<group>`. */
export type SchemasByKind = ReadonlyMap<string, ReadonlyMap<string, JsonSchema>>;

/** A YAML text with other schemas. */
export interface PatchedText {
  readonly text: string;
  /** True if the text has definitions. */
  readonly hasDefinitions: boolean;
  /** The versions with another schema: `Order.shop.example.com/v1`. */
  readonly changed: readonly string[];
  /** The kinds and versions without a class, in the same form. */
  readonly unknown: readonly string[];
}

/** The text of a schema to replace. */
interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Returns a YAML text in which the schemas of CustomResourceDefinitions are those of classes.
 *
 * The rest of the text stays as it is, including comments, order and quotes; comments within a schema that changes are lost.
 * @param file the name of the file in errors
 * @throws OperatorError for an invalid text, and for a schema that is not written in block style
 */
export function patchSchemas(text: string, file: string, schemas: SchemasByKind): PatchedText {
  const documents = parse(text, file);
  const nodes = yamlRoots(text);
  const replacements: Replacement[] = [];
  const changed: string[] = [];
  const unknown: string[] = [];
  const definitions = documents.flatMap((document, index) => (isDefinition(document) ? [{ document, index }] : []));
  for (const { document, index } of definitions) {
    const spec = objectAt(document, 'spec');
    const kind = `${stringAt(objectAt(spec, 'names'), 'kind')}.${stringAt(spec, 'group')}`;
    const versions = schemas.get(kind);
    if (!versions) unknown.push(kind);
    for (const [at, version] of versions ? eachObject(spec['versions']).entries() : []) {
      const name = `${kind}/${stringAt(version, 'name')}`;
      const schema = versions?.get(stringAt(version, 'name'));
      if (!schema) unknown.push(name);
      else if (!deepEqual(valueAt(version, PATH), schema)) {
        replacements.push(replacementIn(text, nodes[index], { at, schema, place: `${file}: ${name}` }));
        version['schema'] = { ...objectAt(version, 'schema'), openAPIV3Schema: schema };
        changed.push(name);
      }
    }
  }
  const patched = replaced(text, replacements);
  if (changed.length > 0 && !deepEqual(parse(patched, file), documents))
    throw notBlockStyle(`${file}: ${changed.join(', ')}`);
  return { text: patched, hasDefinitions: definitions.length > 0, changed, unknown };
}

const PATH = ['schema', 'openAPIV3Schema'];

function parse(text: string, file: string): unknown[] {
  return parseYamlDocuments(text, file, { exactIntegers: true });
}

function isDefinition(document: unknown): document is JsonObject {
  if (!isJsonObject(document)) return false;
  return document['kind'] === 'CustomResourceDefinition' && document['apiVersion'] === 'apiextensions.k8s.io/v1';
}

interface Target {
  /** Index of the version. */
  readonly at: number;
  readonly schema: JsonSchema;
  readonly place: string;
}

function replacementIn(text: string, document: YamlNode | undefined, { at, schema, place }: Target): Replacement {
  const versions = document?.entries.get('spec')?.entries.get('versions');
  const key = versions?.items[at]?.entries.get('schema')?.entries.get('openAPIV3Schema');
  if (!key) throw notBlockStyle(place);
  const lineStart = text.lastIndexOf('\n', key.keyStart) + 1;
  const column = key.keyStart - lineStart;
  const keyLine = /openAPIV3Schema:[ \t]*(?:#[^\r\n]*)?(?:\r?\n|$)/y;
  keyLine.lastIndex = key.keyStart;
  if (!keyLine.test(text)) throw notBlockStyle(place);
  const start = keyLine.lastIndex;
  const indentation = ' '.repeat(column);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  // The schema is written between two keys as it is in the text: at the end of a text, some scalars need a marker.
  const lines = stringifyYaml({ schema, end: true }).split('\n').slice(1, -2);
  const indented = lines.map((line) => (line === '' ? '' : indentation + line) + eol);
  const end = endOfBlock(text, start, column);
  return { start, end: lines.at(-1) === '' ? endOfBlankLines(text, end) : end, text: indented.join('') };
}

/** Blank lines after a scalar that ends in blank lines would become part of it. */
function endOfBlankLines(text: string, start: number): number {
  const lines = /(?:[ \t]*\r?\n)*/y;
  lines.lastIndex = start;
  return lines.test(text) ? lines.lastIndex : start;
}

/**
 * The offset after the lines of a value, which are indented deeper than the column of its key. Comments and blank lines
 * at the end belong to it only if they are, too.
 */
function endOfBlock(text: string, start: number, column: number): number {
  let end = start;
  const line = /([ \t]*)([^\r\n]*)(?:\r?\n|$)/y;
  line.lastIndex = start;
  for (let at = start; at < text.length; at = line.lastIndex) {
    const [, indentation = '', content = ''] = line.exec(text) ?? [];
    const isDeeper = indentation.length > column;
    if (isDeeper) end = line.lastIndex;
    else if (content !== '' && !content.startsWith('#')) break;
  }
  return end;
}

function replaced(text: string, replacements: readonly Replacement[]): string {
  const fromEnd = replacements.toSorted((a, b) => b.start - a.start);
  return fromEnd.reduce((result, each) => result.slice(0, each.start) + each.text + result.slice(each.end), text);
}

function notBlockStyle(place: string): OperatorError {
  return new OperatorError(`${place}: the schema cannot be replaced in the text`, {
    code: 'E_YAML',
    hint: 'write openAPIV3Schema: on a line of its own and the schema indented below it, without braces, anchors and aliases',
  });
}
