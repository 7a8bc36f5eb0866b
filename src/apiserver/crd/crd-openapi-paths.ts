import { type JsonObject, eachObject, isJsonObject } from '../objects/api-object.js';

const KIND = 'x-kubernetes-group-version-kind';
const SCALE = '#/components/schemas/io.k8s.api.autoscaling.v1.Scale';

/** The kind that the paths are generated for. */
export interface PathOwner {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  /** For example `io.example.v1.Widget`. */
  readonly schemaName: string;
  readonly subresources: readonly string[];
}

/** Generates the paths of a custom resource from those of a built-in resource renamed to it. */
export function customPaths(owner: PathOwner, paths: JsonObject): JsonObject {
  const { group, version, plural, subresources } = owner;
  const prefix = `/apis/${group}/${version}/`;
  const result: JsonObject = {};
  for (const [path, item] of Object.entries(paths)) {
    if (path === prefix || path.startsWith(`${prefix}watch/`) || !isJsonObject(item)) continue;
    result[path] = customItem(item, version);
    if (!path.endsWith(`${plural}/{name}`)) continue;
    for (const name of subresources)
      result[`${path}/${name}`] = subresourceItem(customItem(item, version), name, owner);
  }
  return result;
}

/**
 * Adapts the parameters: for collections, `delete` has those of `get`; single objects can be read with a
 * resourceVersion.
 */
function customItem(given: JsonObject, version: string): JsonObject {
  const item = withoutBinary(given);
  for (const operation of eachObject(Object.values(item))) {
    const kind = operation[KIND];
    if (isJsonObject(kind)) kind.version = version;
  }
  const { get, delete: remove, patch } = item;
  if (isJsonObject(patch) && isJsonObject(patch.responses)) Reflect.deleteProperty(patch.responses, '201');
  if (isJsonObject(get) && isJsonObject(remove) && remove['x-kubernetes-action'] === 'deletecollection') {
    Reflect.deleteProperty(remove, 'requestBody');
    remove.parameters = get.parameters;
  }
  if (isJsonObject(get) && get['x-kubernetes-action'] === 'get') get.parameters = [RESOURCE_VERSION];
  return item;
}

const RESOURCE_VERSION = {
  name: 'resourceVersion',
  in: 'query',
  description:
    'resourceVersion sets a constraint on what resource versions a request may be served from. See https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-versions for details.\n\nDefaults to unset',
  schema: { type: 'string', uniqueItems: true },
};

function subresourceItem({ get, put, patch, parameters }: JsonObject, name: string, owner: PathOwner): JsonObject {
  const suffix = name.slice(0, 1).toUpperCase() + name.slice(1);
  const item: JsonObject = { get, put, patch, parameters };
  for (const operation of eachObject([get, put, patch])) {
    operation.operationId = `${String(operation.operationId)}${suffix}`;
    operation.description = String(operation.description).replace('the specified', `${name} of the specified`);
  }
  if (name !== 'scale') return item;
  const own = `#/components/schemas/${owner.schemaName}`;
  return JSON.parse(JSON.stringify(item).replaceAll(`"${own}"`, `"${SCALE}"`)) as JsonObject;
}

/** Removes protobuf and strategic merge patch, which custom resources do not support. */
function withoutBinary(item: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(item), (key, value: unknown) => {
    if (key.startsWith('application/') && /protobuf|cbor|stream|strategic/.test(key)) return undefined;
    if (!isJsonObject(value) || value['*/*'] === undefined) return value;
    const { '*/*': any, ...rest } = value;
    return { ...rest, 'application/json': any, 'application/yaml': any };
  }) as JsonObject;
}
