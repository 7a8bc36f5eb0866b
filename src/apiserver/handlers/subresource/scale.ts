import { deepClone } from '../../../base/deep-clone.js';
import { dnsSubdomainErrors } from '../../../api/objects/names.js';
import { whenAnswered } from '../../remote/remote-calls.js';
import {
  badRequest,
  conflict,
  internalError,
  invalid,
  StatusError,
  unsupportedMediaType,
} from '../../errors/status-error.js';
import { isJsonObject, numberAt, without, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import { assertUid } from '../../registry/write-identity.js';
import type { Registry } from '../../registry/registry.js';
import { NOT_SET, ScaleManagers } from '../../registry/scale-managers.js';
import type { Resource, ScalePaths } from '../../resources/resource.js';
import { replicasOf, scaleResource, toScale } from '../../builtin/scale-resource.js';
import { readBody, type ApiRequest, type RequestBody } from '../../transport/request/api-request.js';
import { validateNonNegative } from '../../validation/fields/field-checks.js';
import { validateObjectMeta } from '../../validation/fields/object-meta.js';
import { scaleColumns } from '../../table/builtin-columns.js';
import { objectIn, type Outcome } from '../../transport/response/outcome.js';
import { decodeBody } from '../request/decode-body.js';
import { parseConfiguration } from '../request/parse-configuration.js';
import { patcherFor } from '../write/patcher.js';
import { assertName, namespaceOf, placeInNamespace } from '../request/request-namespace.js';
import { parseResourceVersion, writeQuery, type WriteQuery } from '../request/query-options.js';

const APPLY = 'application/apply-patch+yaml';

/** GET, PUT and PATCH of an object's scale. */
export async function serveScale(
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
  const managers = new ScaleManagers(resource, paths, registry.now());
  const isApply = body.contentType === APPLY && verb === 'patch';
  const change = changeOf(resource, body, query, request, managers);
  const transform = (old: ApiObject): ApiObject => {
    const wanted = change(() => managers.scaleOf(old));
    if (verb === 'update') assertUid(resource, old.metadata, wanted.metadata.uid, query.dryRun);
    placeInNamespace(resource, wanted, request.info.namespace);
    assertName(wanted, name);
    const next = withReplicas(resource, paths, old, wanted);
    return isApply ? managers.carriedBack(old, next, wanted) : next;
  };
  const view = (object: ApiObject): ApiObject => toScale(paths, object, 0);
  const stored = await whenAnswered((calls) =>
    registry.update(resource, name, namespace, transform, { ...query, calls, subresource: 'scale', view, isApply }),
  );
  return shown(resource, toScale(paths, await whenAnswered(() => objectIn(resource, stored)), 0));
}

function shown({ isCustom }: Resource, body: unknown): Outcome {
  return {
    type: 'json',
    code: 200,
    body,
    goType: isCustom ? 'v1.Scale' : 'autoscaling.Scale',
    get columns() {
      return scaleColumns(isCustom);
    },
  };
}

/** Computes the new scale from the current one. */
type Change = (present: () => ApiObject) => ApiObject;

function changeOf(
  resource: Resource,
  body: RequestBody,
  query: WriteQuery,
  request: ApiRequest,
  managers: ScaleManagers,
): Change {
  if (request.info.verb !== 'patch') return replacing(resource, body, query, request);
  if (body.contentType === APPLY) return applying(managers, body, query, request);
  const Patcher = patcherFor(resource, body.contentType);
  if (!Patcher) throw unsupportedMediaType(['application/json-patch+json', 'application/merge-patch+json']);
  const patcher = new Patcher(scaleResource(resource), body, query.fieldValidation, request.warnings);
  return (present) => patcher.patch(present());
}

function applying(managers: ScaleManagers, body: RequestBody, query: WriteQuery, { warnings }: ApiRequest): Change {
  return (present) => {
    const config = parseConfiguration(body.bytes.toString(), query.fieldValidation, warnings);
    return managers.apply(present(), config, query);
  };
}

function replacing(resource: Resource, body: RequestBody, query: WriteQuery, { warnings, info }: ApiRequest): Change {
  const wanted = decodeScale(resource, body, query, warnings);
  placeInNamespace(resource, wanted, info.namespace);
  assertName(wanted, info.name);
  return () => wanted;
}

/** Decodes a Scale; for custom resources, the real server's decoding errors do not contain the kind. */
function decodeScale(resource: Resource, body: RequestBody, query: WriteQuery, warnings: string[]): ApiObject {
  try {
    return decodeBody(scaleResource(resource), body, query.fieldValidation, warnings);
  } catch (error) {
    if (!resource.isCustom || !(error instanceof StatusError) || error.code !== 400) throw error;
    throw badRequest('no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"');
  }
}

function presentScale(resource: Resource, paths: ScalePaths, object: ApiObject): JsonObject {
  if (resource.isCustom && replicasOf(paths, object) === undefined)
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
  if (!resource.isCustom) {
    assertScale(wanted, replicas);
    assertSame(resource, wanted, old);
  }
  const next = scaledObject(paths, old, replicas);
  const { resourceVersion } = wanted.metadata;
  if (resourceVersion) next.metadata.resourceVersion = resourceVersion;
  return next;
}

/** Returns the object with the given replicas. */
export function scaledObject(paths: ScalePaths, object: ApiObject, replicas: number): ApiObject {
  const next = deepClone(object);
  setPath(next, paths.specReplicas, replicas);
  return next;
}

function assertScale(scale: ApiObject, replicas: number): void {
  const errors = [
    // managedFields of the client are validated but not stored.
    ...validateObjectMeta(
      { ...scale, metadata: without(scale.metadata, 'managedFields') },
      true,
      dnsSubdomainErrors,
      false,
    ),
    ...validateNonNegative('spec.replicas', replicas),
  ];
  if (errors.length > 0) throw invalid({ group: 'autoscaling', kind: 'Scale' }, scale.metadata.name, errors);
}

function assertSame({ group, plural }: Resource, { metadata: { uid } }: ApiObject, { metadata }: ApiObject): void {
  if (!uid || uid === metadata.uid) return;
  const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid}`;
  throw conflict({ group, plural: `${plural}/scale` }, metadata.name, why);
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
