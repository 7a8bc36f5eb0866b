import { whenAnswered } from '../admission/remote-calls.js';
import { deepClone } from '../../base/deep-clone.js';
import { invalidValue } from '../../api/field-error.js';
import { badRequest, invalid, modified } from '../errors/status-error.js';
import { isJsonObject, numberAt, objectAt, type ApiObject, type JsonObject, textOf } from '../object.js';
import { mergePatch } from '../patch/merge-patch.js';
import { parseJsonPatch } from '../patch/json-patch-operations.js';
import type { Registry } from '../registry/registry.js';
import type { Resource, ScalePaths } from '../resources/resource.js';
import { parseBody, readBody, type ApiRequest, type RequestBody } from '../transport/api-request.js';
import { decodePlainObject } from '../transport/plain-object.js';
import { json, objectIn, type Outcome } from '../transport/outcome.js';
import { applyJsonPatch, JSON_PATCH } from './parse-patch.js';
import { writeQuery } from './query-options.js';
import { namespaceOf } from './write.js';

/** GET, PUT and PATCH of an object's scale. */
export async function scale(
  registry: Registry,
  resource: Resource,
  paths: ScalePaths,
  request: ApiRequest,
): Promise<Outcome> {
  const { name, verb } = request.info;
  const namespace = namespaceOf(resource, request.info.namespace);
  const present = await whenAnswered(() => objectIn(resource, registry.get(resource, name, namespace)));
  if (verb === 'get') return json(200, toScale(paths, present));
  const body = await readBody(request.message);
  const query = writeQuery(request, verb === 'patch' ? 'PatchOptions' : 'UpdateOptions');
  const wantedOf = verb === 'patch' ? parseScalePatch(body) : parseScale(body);
  const transform = (old: ApiObject): ApiObject => withReplicas(resource, paths, old, wantedOf(toScale(paths, old)));
  const view = (object: ApiObject): ApiObject => toScale(paths, object) as ApiObject;
  const stored = await whenAnswered((calls) =>
    registry.update(resource, name, namespace, transform, { ...query, calls, subresource: 'scale', view }),
  );
  return json(200, toScale(paths, await whenAnswered(() => objectIn(resource, stored))));
}

function parseScale(body: RequestBody): () => unknown {
  const wanted = decodePlainObject(body, 'Scale');
  return () => wanted;
}

function parseScalePatch(body: RequestBody): (current: JsonObject) => unknown {
  if (body.contentType === JSON_PATCH) {
    const { operations } = parseJsonPatch(body.bytes.toString(), true);
    return (current) => applyJsonPatch(current, operations);
  }
  const document = parseBody(body, 'Scale');
  return (current) => mergePatch(current, document);
}

function withReplicas(resource: Resource, { specReplicas }: ScalePaths, old: ApiObject, wanted: unknown): ApiObject {
  if (!isJsonObject(wanted)) throw badRequest('expected input object type to be Scale');
  const { name } = old.metadata;
  const metadata = objectAt(wanted, 'metadata');
  if (metadata.name !== undefined && metadata.name !== name)
    throw badRequest(`the name of the object (${textOf(metadata.name)}) does not match the name on the URL (${name})`);
  const version = metadata.resourceVersion;
  if (version !== undefined && version !== '' && version !== old.metadata.resourceVersion)
    throw modified(resource, name);
  const replicas = numberAt(wanted.spec, 'replicas') ?? 0;
  if (replicas < 0) {
    throw invalid({ group: 'autoscaling', kind: 'Scale' }, name, [
      invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0'),
    ]);
  }
  const next = deepClone(old);
  setPath(next, specReplicas, replicas);
  return next;
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

function readPath(object: unknown, path: readonly string[]): number {
  const value = path.reduce<unknown>((node, part) => (isJsonObject(node) ? node[part] : undefined), object);
  return typeof value === 'number' ? value : 0;
}

function toScale(paths: ScalePaths, object: ApiObject): JsonObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const replicas = readPath(object, paths.specReplicas);
  const selector = paths.selector(object);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, ...(namespace !== undefined && { namespace }), uid, resourceVersion, creationTimestamp },
    spec: { ...(replicas !== 0 && { replicas }) },
    status: { replicas: readPath(object, paths.statusReplicas), ...(selector !== '' && { selector }) },
  };
}
