import { badRequest, StatusError, unsupportedMediaType } from '../errors/status-error.js';
import { whenAnswered } from '../admission/remote-calls.js';
import { isJsonObject, type ApiObject, type JsonObject, textOf, objectAt } from '../object.js';
import { typedProblems } from '../apply/typed-problems.js';
import type { Registry, Transform } from '../registry/registry.js';
import type { Resource } from '../resources/resource.js';
import { DecodeReport } from '../schema/decode-report.js';
import { readBody, type ApiRequest, type RequestBody } from '../transport/api-request.js';
import type { Outcome } from '../transport/outcome.js';
import { decodeBody, decodeValue } from './decode-body.js';
import { parseConfiguration } from './parse-configuration.js';
import { JSON_PATCH, MERGE_PATCH, parsePatch, STRATEGIC } from './parse-patch.js';
import { writeQuery, type WriteQuery } from './query-options.js';

const APPLY = 'application/apply-patch+yaml';

/** POST of a collection. */
export async function create(registry: Registry, resource: Resource, request: ApiRequest): Promise<Outcome> {
  const body = await readBody(request.message);
  const query = writeQuery(request, 'CreateOptions');
  const stored = await whenAnswered((calls) => {
    const object = decodeBody(resource, body, query.fieldValidation, request.warnings);
    placeInNamespace(resource, object, request.info.namespace);
    return registry.create(resource, object, { ...query, calls });
  });
  return { k: 'object', code: 201, resource, stored };
}

/** PUT of an object or its subresource. */
export async function update(registry: Registry, resource: Resource, request: ApiRequest): Promise<Outcome> {
  const body = await readBody(request.message);
  const query = writeQuery(request, 'UpdateOptions');
  const { name, namespace, subresource } = request.info;
  const mayCreate = resource.strategy.allowsCreateOnUpdate === true;
  return whenAnswered((calls) => {
    const object = decodeBody(resource, body, query.fieldValidation, request.warnings);
    placeInNamespace(resource, object, namespace);
    checkName(object, name);
    let code = 200;
    const createIt = (): ApiObject => {
      code = 201;
      return object;
    };
    const options = { ...query, calls, subresource, create: mayCreate ? createIt : undefined };
    const stored = registry.update(resource, name, namespaceOf(resource, namespace), () => object, options);
    return { k: 'object', code, resource, stored };
  });
}

/** PATCH of an object or its subresource. */
export async function patch(registry: Registry, resource: Resource, request: ApiRequest): Promise<Outcome> {
  const body = await readBody(request.message);
  const accepted = [JSON_PATCH, MERGE_PATCH, ...(resource.isCustom ? [] : [STRATEGIC]), APPLY];
  if (!accepted.includes(body.contentType))
    throw resource.isCustom
      ? unsupportedMediaType(accepted)
      : new StatusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
  const query = writeQuery(request, 'PatchOptions');
  if (body.contentType === APPLY)
    return whenAnswered((calls) => apply(registry, resource, request, body, { ...query, calls }));
  const applyTo = parsePatch(resource, body, query);
  const { name, namespace, subresource } = request.info;
  const transform: Transform = (old) => {
    const next = applyTo(old, request.warnings);
    placeInNamespace(resource, next, namespace);
    checkName(next, name);
    return next;
  };
  const stored = await whenAnswered((calls) =>
    registry.update(resource, name, namespaceOf(resource, namespace), transform, { ...query, calls, subresource }),
  );
  return { k: 'object', code: 200, resource, stored };
}

function apply(
  registry: Registry,
  resource: Resource,
  request: ApiRequest,
  body: RequestBody,
  query: WriteQuery,
): Outcome {
  const value = parseConfiguration(body.bytes.toString(), query.fieldValidation, request.warnings);
  if (!isJsonObject(value)) throw badRequest('error decoding YAML: not an object');
  const report = new DecodeReport();
  const { name, namespace, subresource } = request.info;
  checkApplyIdentity(resource, value);
  if (subresource !== '' && resource.strategy.allowsCreateOnUpdate !== true)
    registry.get(resource, name, namespaceOf(resource, namespace));
  checkTyped(resource, value);
  const config = onlyGiven(
    decodeValue(resource, value, query.fieldValidation, report, request.warnings),
    value,
  ) as ApiObject;
  config.metadata = { ...config.metadata };
  if (config.metadata.managedFields) throw badRequest('metadata.managedFields must be nil');
  if (config.metadata.name === '') config.metadata.name = name;
  placeInNamespace(resource, config, namespace);
  checkName(config, name);
  const { stored, isNew } = registry.apply(resource, config, { ...query, subresource });
  return { k: 'object', code: isNew ? 201 : 200, resource, stored };
}

function checkApplyIdentity(resource: Resource, value: JsonObject): void {
  if (value.apiVersion === undefined || value.kind === undefined) {
    throw badRequest(`invalid object type: /, Kind=${typeof value.kind === 'string' ? value.kind : ''}`);
  }
  if (value.apiVersion !== resource.apiVersion) {
    throw badRequest(
      `Incorrect version specified in apply patch. Specified patch version: ${textOf(value.apiVersion)}, expected: ${resource.apiVersion}`,
    );
  }
}

/** Refuses a configuration that cannot be merged, before anything is made of it. */
function checkTyped({ codec, group, version, kind }: Resource, value: JsonObject): void {
  const problems = typedProblems(codec.mergeType, value);
  if (problems.length === 0) return;
  const { name, namespace } = objectAt(value, 'metadata');
  const what = `${textOf(namespace ?? '')}/${textOf(name ?? '')}; ${group}/${version}, Kind=${kind}`;
  const list =
    problems.length === 1 ? (problems[0] ?? '') : `errors:\n${problems.map((problem) => `  ${problem}`).join('\n')}`;
  throw new StatusError(500, '', `failed to create typed patch object (${what}): ${list}`);
}

/** The decoded object without what decoding added: an applied configuration owns only what it names. */
function onlyGiven(decoded: unknown, given: unknown): unknown {
  if (isJsonObject(decoded) && isJsonObject(given)) {
    const kept = Object.entries(decoded).filter(([key]) => Object.hasOwn(given, key));
    const result = Object.fromEntries(kept.map(([key, value]) => [key, onlyGiven(value, given[key])]));
    for (const [key, value] of Object.entries(given)) {
      if (!(key in result) && (value === null || isEmpty(value) || isZero(value))) result[key] = value;
    }
    return result;
  }
  if (Array.isArray(decoded) && Array.isArray(given))
    return decoded.map((item: unknown, index) => onlyGiven(item, given[index]));
  return decoded;
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0;
}

function isZero(value: unknown): boolean {
  return value === '' || value === 0 || value === false;
}

export function namespaceOf(resource: Resource, namespace: string | undefined): string | undefined {
  return resource.namespaced ? namespace : undefined;
}

/** Gives the object the request's namespace, or none, or refuses when it names another of a namespaced kind. */
function placeInNamespace(resource: Resource, object: ApiObject, namespace: string | undefined): void {
  const given = object.metadata.namespace;
  if (!resource.namespaced) {
    delete object.metadata.namespace;
    return;
  }
  if (given && namespace !== undefined && given !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (namespace !== undefined) object.metadata.namespace = namespace;
}

function checkName({ metadata }: ApiObject, name: string): void {
  if (!metadata.name)
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  if (metadata.name !== name) {
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
  }
}
