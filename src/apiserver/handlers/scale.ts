import { deepClone } from '../../base/deep-clone.js';
import { dnsSubdomainErrors } from '../../api/names.js';
import { whenAnswered } from '../admission/remote-calls.js';
import { badRequest, internalError, invalid, StatusError, unsupportedMediaType } from '../errors/status-error.js';
import { isJsonObject, numberAt, valueAt, without, type ApiObject, type JsonObject } from '../object.js';
import { AppliedConfiguration } from '../registry/applied-configuration.js';
import type { Registry } from '../registry/registry.js';
import { builtinCodec } from '../resources/builtin-codec.js';
import type { Resource, ScalePaths } from '../resources/resource.js';
import { readBody, type ApiRequest, type RequestBody } from '../transport/api-request.js';
import { checkNonNegative } from '../validation/fields/field-checks.js';
import { validateObjectMeta } from '../validation/fields/object-meta.js';
import { scaleColumns } from '../table/scale-columns.js';
import { objectIn, type Outcome } from '../transport/outcome.js';
import { decodeBody } from './decode-body.js';
import { parseConfiguration } from './parse-configuration.js';
import { patcherFor } from './patcher.js';
import { checkName, namespaceOf, placeInNamespace } from './placement.js';
import { parseResourceVersion, writeQuery, type WriteQuery } from './query-options.js';

const SCALE = { apiVersion: 'autoscaling/v1', kind: 'Scale' } as const;
const codec = builtinCodec({ struct: 'autoscaling/v1.Scale', ...SCALE, applyDefaults: undefined });
/** Replicas of an object that has none; a scale that still has them afterwards is refused. */
const NOT_SET = -(2 ** 31);

/** GET, PUT and PATCH of an object's scale. */
export async function scale(
  registry: Registry,
  resource: Resource,
  paths: ScalePaths,
  request: ApiRequest,
): Promise<Outcome> {
  const { name, verb } = request.info;
  const namespace = namespaceOf(resource, request.info.namespace);
  if (verb === 'get') {
    parseResourceVersion(request.query.get('resourceVersion') ?? '');
    const present = await whenAnswered(() => objectIn(resource, registry.get(resource, name, namespace)));
    return shown(resource, presentScale(resource, paths, present));
  }
  const body = await readBody(request.message);
  const query = writeQuery(request, verb === 'patch' ? 'PatchOptions' : 'UpdateOptions');
  const change =
    verb === 'patch' ? patching(resource, body, query, request) : replacing(resource, body, query, request);
  const transform = (old: ApiObject): ApiObject => {
    const wanted = change(() => toScale(paths, old, resource.isCustom ? NOT_SET : 0));
    placeInNamespace(resource, wanted, request.info.namespace);
    checkName(wanted, name);
    return withReplicas(resource, paths, old, wanted);
  };
  const view = (object: ApiObject): ApiObject => toScale(paths, object, 0);
  const stored = await whenAnswered((calls) =>
    registry.update(resource, name, namespace, transform, { ...query, calls, subresource: 'scale', view }),
  );
  return shown(resource, toScale(paths, await whenAnswered(() => objectIn(resource, stored)), 0));
}

function shown({ isCustom }: Resource, body: unknown): Outcome {
  return {
    k: 'json',
    code: 200,
    body,
    goType: isCustom ? 'v1.Scale' : 'autoscaling.Scale',
    get columns() {
      return scaleColumns(isCustom);
    },
  };
}

/** Makes the wanted scale of the present one. */
type Change = (present: () => ApiObject) => ApiObject;

function patching(resource: Resource, body: RequestBody, query: WriteQuery, { warnings }: ApiRequest): Change {
  const isApply = body.contentType === 'application/apply-patch+yaml';
  const Patcher = patcherFor(resource, isApply ? 'application/merge-patch+json' : body.contentType);
  if (!Patcher) throw unsupportedMediaType(['application/json-patch+json', 'application/merge-patch+json']);
  const readable = isApply ? { ...body, contentType: 'application/yaml' } : body;
  return (present) => {
    const { fieldValidation } = query;
    if (isApply) {
      const config = parseConfiguration(body.bytes.toString(), fieldValidation, warnings);
      new AppliedConfiguration(scaleOf(resource), config).check();
    }
    return new Patcher(scaleOf(resource), readable, fieldValidation, warnings).patch(present());
  };
}

function replacing(resource: Resource, body: RequestBody, query: WriteQuery, { warnings, info }: ApiRequest): Change {
  const wanted = decodeScale(resource, body, query, warnings);
  placeInNamespace(resource, wanted, info.namespace);
  checkName(wanted, info.name);
  return () => wanted;
}

/** Where custom resources are served, the real server cannot name the kind of what it cannot read. */
function decodeScale(resource: Resource, body: RequestBody, query: WriteQuery, warnings: string[]): ApiObject {
  try {
    return decodeBody(scaleOf(resource), body, query.fieldValidation, warnings);
  } catch (error) {
    if (!resource.isCustom || !(error instanceof StatusError) || error.code !== 400) throw error;
    throw badRequest('no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"');
  }
}

/** The scale as if it were a resource of its own, in the place of the one it scales. */
function scaleOf(resource: Resource): Resource {
  const own: Partial<Resource> = { ...SCALE, group: 'autoscaling', version: 'v1', isCustom: false, codec };
  const values = Object.entries(own).map(([key, value]) => [key, { value, enumerable: true }]);
  return Object.create(resource, Object.fromEntries(values) as PropertyDescriptorMap) as Resource;
}

function presentScale(resource: Resource, paths: ScalePaths, object: ApiObject): JsonObject {
  if (resource.isCustom && readPath(object, paths.specReplicas) === undefined)
    throw internalError(`the spec replicas field "${fieldOf(paths)}" does not exist`);
  return toScale(paths, object, 0);
}

function fieldOf({ specReplicas }: ScalePaths): string {
  return `.${specReplicas.join('.')}`;
}

function withReplicas(resource: Resource, paths: ScalePaths, old: ApiObject, wanted: ApiObject): ApiObject {
  const replicas = numberAt(wanted.spec, 'replicas') ?? 0;
  if (replicas === NOT_SET && resource.isCustom)
    throw badRequest(`the spec replicas field "${fieldOf(paths)}" cannot be empty`);
  if (!resource.isCustom) checkScale(wanted, replicas);
  const next = scaledObject(paths, old, replicas);
  const { resourceVersion } = wanted.metadata;
  if (resourceVersion) next.metadata.resourceVersion = resourceVersion;
  return next;
}

/** The object with another size. */
export function scaledObject(paths: ScalePaths, object: ApiObject, replicas: number): ApiObject {
  const next = deepClone(object);
  setPath(next, paths.specReplicas, replicas);
  return next;
}

function checkScale(scale: ApiObject, replicas: number): void {
  const errors = [
    // What a client says of managers has been read by then, and is not kept.
    ...validateObjectMeta(
      { ...scale, metadata: without(scale.metadata, 'managedFields') },
      true,
      dnsSubdomainErrors,
      false,
    ),
    ...checkNonNegative('spec.replicas', replicas),
  ];
  if (errors.length > 0) throw invalid({ group: 'autoscaling', kind: 'Scale' }, scale.metadata.name, errors);
}

function setPath(target: JsonObject, path: readonly string[], value: unknown): void {
  let node = target;
  for (const part of path.slice(0, -1)) {
    const below = node[part];
    if (isJsonObject(below)) node = below;
    else {
      const made: JsonObject = {};
      node[part] = made;
      node = made;
    }
  }
  node[path.at(-1) ?? ''] = value;
}

function readPath(object: unknown, path: readonly string[]): number | undefined {
  const value = valueAt(object, path);
  return typeof value === 'number' ? value : undefined;
}

/** The scale of an object, with a size for one that has none. */
export function toScale(paths: ScalePaths, object: ApiObject, otherwise: number): ApiObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const replicas = readPath(object, paths.specReplicas) ?? otherwise;
  const selector = paths.selector(object);
  return {
    kind: SCALE.kind,
    apiVersion: SCALE.apiVersion,
    metadata: { name, ...(namespace !== undefined && { namespace }), uid, resourceVersion, creationTimestamp },
    spec: { ...(replicas !== 0 && { replicas }) },
    status: { replicas: readPath(object, paths.statusReplicas) ?? 0, ...(selector !== '' && { selector }) },
  } as ApiObject;
}
