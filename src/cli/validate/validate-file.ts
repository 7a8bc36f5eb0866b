import { isJsonObject, objectAt, stringAt, type JsonObject } from '../../base/json-object.js';
import { parseYamlDocuments } from '../../base/yaml.js';
import { type TextPlace, YamlPlaces } from '../../base/yaml-places.js';
import type { KnownKinds } from './known-kinds.js';

/** An object of a file, as messages name it, such as `PodSet default/web`. */
export interface Located {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly object: string;
}

/** An error of an object: where, which field, and why the API server would reject it. */
export interface FileError extends Located {
  readonly field: string;
  readonly message: string;
}

export interface FileResult {
  /** Numbers of objects. */
  readonly valid: number;
  readonly invalid: number;
  readonly errors: readonly FileError[];
  /** Objects of kinds that no definition describes. */
  readonly unknown: readonly (Located & { readonly apiVersion: string; readonly kind: string })[];
}

/** An object and the path to it in its document: the items of a List are objects of their own. */
interface Item {
  readonly object: unknown;
  readonly document: number;
  readonly path: string;
}

/**
 * Checks each object of a YAML or JSON text as the API server checks new objects.
 *
 * @throws OperatorError with the line when the text is not YAML
 */
export function validateFile(file: string, text: string, kinds: KnownKinds): FileResult {
  const items = parseYamlDocuments(text, file, { exactIntegers: true }).flatMap(itemsOf);
  const place = placesIn(text);
  const errors: FileError[] = [];
  const unknown: FileResult['unknown'][number][] = [];
  let valid = 0;
  for (const item of items) {
    const { object } = item;
    const at = (field: string): Located => ({ file, ...place(item, field), object: displayName(object) });
    const problems = problemsOf(object, kinds);
    if (problems.length === 0) valid++;
    for (const problem of problems)
      if ('kind' in problem) unknown.push({ ...at(''), ...problem });
      else errors.push({ ...at(problem.field), ...problem });
  }
  return { valid, invalid: items.length - valid - unknown.length, errors, unknown };
}

type Problem = Pick<FileError, 'field' | 'message'> | Pick<FileResult['unknown'][number], 'apiVersion' | 'kind'>;

/** Returns the errors of an object; its kind alone if no definition describes it. */
function problemsOf(object: unknown, kinds: KnownKinds): Problem[] {
  const [apiVersion, kind] = [stringAt(object, 'apiVersion'), stringAt(object, 'kind')];
  if (!isJsonObject(object) || !apiVersion || !kind)
    return [{ field: '', message: 'is not an object of Kubernetes: apiVersion and kind are required' }];
  const known = kind === 'CustomResourceDefinition' ? undefined : kinds.find(apiVersion, kind);
  if (known === undefined) return [{ apiVersion, kind }];
  if (typeof known === 'string') return [{ field: 'apiVersion', message: known }];
  return known.checker.causes(completed(object, known.isNamespaced), undefined).map(({ field = '', message = '' }) => ({
    field: field === '<nil>' ? '' : field, // Kubernetes' name of the whole object
    message,
  }));
}

function itemsOf(document: unknown, index: number): Item[] {
  const { kind, items } = (document ?? {}) as { readonly kind?: unknown; readonly items?: unknown };
  if (typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items))
    return items.map((object: unknown, item) => ({ object, document: index, path: `items[${item}]` }));
  return [{ object: document, document: index, path: '' }];
}

/** Positions are read when the first error needs one. */
function placesIn(text: string): (item: Item, field: string) => TextPlace {
  let places: YamlPlaces | undefined;
  return ({ document, path }, field) => {
    places ??= new YamlPlaces(text);
    return places.of(`${path}.${field}`, document) ?? { line: 1, column: 1 };
  };
}

/** Adds what clients and the server add to a new object: a namespace, and a name for `generateName`. */
function completed(object: JsonObject, isNamespaced: boolean): JsonObject {
  const metadata = objectAt(object, 'metadata');
  const prefix = stringAt(metadata, 'generateName');
  return {
    ...object,
    metadata: {
      ...(isNamespaced && { namespace: 'default' }),
      ...(prefix && { name: `${prefix}x` }),
      ...metadata,
    },
  };
}

function displayName(object: unknown): string {
  if (!isJsonObject(object)) return 'document';
  const metadata = objectAt(object, 'metadata');
  const name = stringAt(metadata, 'name') || stringAt(metadata, 'generateName') || 'without name';
  const namespace = stringAt(metadata, 'namespace');
  return `${stringAt(object, 'kind') || 'object'} ${namespace ? `${namespace}/` : ''}${name}`;
}
