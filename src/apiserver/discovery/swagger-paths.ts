import { deepEqual } from '../../base/deep-equal.js';
import { eachObject, isJsonObject, objectAt, stringAt, without, type JsonObject } from '../objects/api-object.js';

const V3_REFERENCE = '#/components/schemas/';
const METHODS = new Set(['get', 'put', 'post', 'delete', 'patch']);
/** Media types of operations without a body. */
const CONSUMED = ['application/json', 'application/yaml'];

/**
 * Converts paths of OpenAPI v3 to v2.
 * @param shared parameters of the document, which operations reference
 */
export function swaggerPaths(paths: JsonObject, shared: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, swaggerItem(item, shared)]));
}

function swaggerItem(item: unknown, shared: JsonObject): JsonObject {
  if (!isJsonObject(item)) return {};
  return Object.fromEntries(
    Object.entries(item)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => {
        if (key === 'parameters') return [key, parametersOf(value, shared)];
        return [key, METHODS.has(key) && isJsonObject(value) ? swaggerOperation(value, shared) : value];
      }),
  );
}

function swaggerOperation(operation: JsonObject, shared: JsonObject): JsonObject {
  const { parameters, requestBody, responses, ...rest } = operation;
  const { content, required } = objectAt({ requestBody }, 'requestBody');
  const body = requestBody === undefined ? [] : [bodyParameter(content, required === true, shared)];
  return {
    ...rest,
    consumes: content === undefined ? CONSUMED : mediaTypes(content),
    produces: Object.keys(objectAt(objectAt(objectAt({ responses }, 'responses'), '200'), 'content')),
    schemes: ['https'],
    ...((body.length > 0 || parameters !== undefined) && {
      parameters: [...body, ...parametersOf(parameters, shared)],
    }),
    responses: Object.fromEntries(
      Object.entries(objectAt({ responses }, 'responses')).map(([code, response]) => [code, swaggerResponse(response)]),
    ),
  };
}

/** Returns the media types; that of server-side apply is last, as in the real server's lists. */
function mediaTypes(content: unknown): string[] {
  const isApply = (type: string): number => Number(type.startsWith('application/apply-patch'));
  return Object.keys(objectAt({ content }, 'content')).sort((a, b) => isApply(a) - isApply(b));
}

function bodyParameter(content: unknown, isRequired: boolean, shared: JsonObject): JsonObject {
  const schema = schemaIn(content);
  const parameter = { name: 'body', in: 'body', ...(isRequired && { required: true }), schema };
  return referenceTo(parameter, shared) ?? parameter;
}

function parametersOf(parameters: unknown, shared: JsonObject): JsonObject[] {
  return eachObject(parameters).map((given) => {
    const parameter = { ...without(given, 'schema'), ...objectAt(given, 'schema') };
    return referenceTo(parameter, shared) ?? parameter;
  });
}

/** Returns the reference to a shared parameter; undefined if it is not shared. */
function referenceTo(parameter: JsonObject, shared: JsonObject): JsonObject | undefined {
  const name = Object.keys(shared).find((key) => deepEqual(shared[key], parameter));
  return name === undefined ? undefined : { $ref: `#/parameters/${name}` };
}

function swaggerResponse(response: unknown): JsonObject {
  const { content, ...rest } = objectAt({ response }, 'response');
  return content === undefined ? rest : { ...rest, schema: schemaIn(content) };
}

/** Returns the schema, which is the same for all media types. */
function schemaIn(content: unknown): JsonObject {
  const [media] = Object.values(objectAt({ content }, 'content'));
  const reference = stringAt(objectAt({ media }, 'media').schema, '$ref');
  return { $ref: reference.replace(V3_REFERENCE, '#/definitions/') };
}
