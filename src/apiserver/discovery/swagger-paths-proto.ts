import { eachObject } from '../objects/api-object.js';
import { isJsonObject, objectAt, stringAt, type JsonObject } from '../objects/api-object.js';
import { delimited, varintField, text } from '../schema/protobuf-wire.js';
import { extensionProto, schemaProto } from './swagger-proto.js';

const METHODS: Readonly<Record<string, number>> = { get: 2, put: 3, post: 4, delete: 5, patch: 8 };
const TEXTS: Readonly<Record<string, number>> = { summary: 2, description: 3, operationId: 5 };
const LISTS: Readonly<Record<string, number>> = { tags: 1, produces: 6, consumes: 7, schemes: 10 };

/** Encodes paths as a message `openapi.v2.Document` to append to another one; readers merge the two. */
export function pathsProto(paths: JsonObject): Buffer {
  const items = Object.entries(paths).map(([path, item]) => delimited(2, text(1, path), delimited(2, itemProto(item))));
  return items.length === 0 ? Buffer.alloc(0) : delimited(8, ...items);
}

function itemProto(item: unknown): Buffer {
  const members = Object.entries(objectAt({ item }, 'item'));
  return Buffer.concat(
    members.map(([key, value]) => {
      const method = METHODS[key];
      if (method !== undefined && isJsonObject(value)) return delimited(method, operationProto(value));
      return key === 'parameters' ? parametersProto(9, value) : Buffer.alloc(0);
    }),
  );
}

function operationProto(operation: JsonObject): Buffer {
  return Buffer.concat(
    Object.entries(operation).map(([key, value]) => {
      const [textField, listField] = [TEXTS[key], LISTS[key]];
      if (textField !== undefined) return text(textField, String(value));
      if (listField !== undefined) return Buffer.concat((value as string[]).map((each) => text(listField, each)));
      if (key.startsWith('x-')) return extensionProto(13, key, value);
      if (key === 'parameters') return parametersProto(8, value);
      return key === 'responses' ? delimited(9, responsesProto(value)) : Buffer.alloc(0);
    }),
  );
}

function parametersProto(field: number, parameters: unknown): Buffer {
  return Buffer.concat(eachObject(parameters).map((parameter) => delimited(field, parameterProto(parameter))));
}

/** Encodes a `ParametersItem`: a reference, or a body, query or path parameter. */
function parameterProto(parameter: JsonObject): Buffer {
  const { in: place, schema } = parameter;
  if (parameter.$ref !== undefined) return delimited(2, text(1, stringAt(parameter, '$ref')));
  if (place !== 'body')
    return delimited(1, delimited(2, delimited(place === 'path' ? 4 : 3, plainParameter(parameter))));
  const required = parameter.required === true ? varintField(4, 1) : Buffer.alloc(0);
  const body = [text(2, 'body'), text(3, 'body'), required, delimited(5, schemaProto(schema))];
  return delimited(1, delimited(1, ...body));
}

/** Encodes a query or path parameter; `QueryParameterSubSchema` has an additional field before its type. */
function plainParameter(parameter: JsonObject): Buffer {
  const isQuery = parameter.in === 'query';
  const texts = (['in', 'description', 'name', 'type'] as const).map((key, index) =>
    parameter[key] === undefined
      ? Buffer.alloc(0)
      : text(key === 'type' && isQuery ? 6 : index + 2, stringAt(parameter, key)),
  );
  return Buffer.concat([
    parameter.required === true ? varintField(1, 1) : Buffer.alloc(0),
    ...texts,
    parameter.uniqueItems === true ? varintField(isQuery ? 20 : 19, 1) : Buffer.alloc(0),
  ]);
}

function responsesProto(responses: unknown): Buffer {
  const all = Object.entries(objectAt({ responses }, 'responses'));
  return Buffer.concat(
    all.map(([code, response]) => delimited(1, text(1, code), delimited(2, delimited(1, responseProto(response))))),
  );
}

function responseProto(response: unknown): Buffer {
  const { description, schema } = objectAt({ response }, 'response');
  const parts = [text(1, String(description))];
  return Buffer.concat(schema === undefined ? parts : [...parts, delimited(2, delimited(1, schemaProto(schema)))]);
}
