import { inspect } from 'node:util';
import { CustomResourceDefinition } from '../api/kinds/kinds.js';
import type { UnstructuredObject } from '../api/objects/kube-object.js';
import type { KindRef } from '../api/kinds/kind-ref.js';
import { eventually } from './eventually.js';
import { OperatorError } from '../base/operator-error.js';
import { NotFoundError } from '../client/api-error.js';
import type { Client } from '../client/client.js';
import { unservedKind } from './unserved-kind.js';

const ESTABLISHED = { timeout: '10s' };

interface ApiResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** Applies objects of any kinds in their order; a CRD is waited for, so that its objects may follow it. */
export async function applyObjects(client: Client, objects: readonly unknown[]): Promise<UnstructuredObject[]> {
  const applied: UnstructuredObject[] = [];
  for (const object of asObjects(objects)) {
    const kind = await kindOf(client, object);
    const namespace = kind.scope === 'Namespaced' ? (object.metadata.namespace ?? 'default') : undefined;
    applied.push(await client.apply(kind, object, { ...(namespace !== undefined && { namespace }), force: true }));
    if (object.kind === 'CustomResourceDefinition') await established(client, object.metadata.name);
  }
  return applied;
}

/** Returns the objects, with each List replaced by its items. */
function asObjects(candidates: unknown): UnstructuredObject[] {
  if (!Array.isArray(candidates)) throw noObject('the argument of apply', candidates, 'not an array of objects');
  return candidates.flatMap(objectsIn);
}

function objectsIn(candidate: unknown, index: number): UnstructuredObject[] {
  const { apiVersion, kind, metadata, items = [] } = (candidate ?? {}) as Record<string, unknown>;
  const place = `object ${index + 1} to apply`;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') {
    throw noObject(place, candidate, 'without apiVersion and kind');
  }
  if (kind === 'List' && apiVersion === 'v1') return asObjects(items);
  if (typeof metadata !== 'object') throw noObject(place, candidate, 'without metadata');
  return [candidate as UnstructuredObject];
}

function noObject(place: string, value: unknown, problem: string): OperatorError {
  return new OperatorError(`${place} is ${problem}: ${inspect(value, { depth: 1, breakLength: Infinity })}`, {
    code: 'E_KIND_UNKNOWN',
    hint: 'pass YAML, not the path of a file, or an array of objects with apiVersion, kind and metadata',
  });
}

async function kindOf(
  client: Client,
  { apiVersion = '', kind = '' }: UnstructuredObject,
): Promise<KindRef<UnstructuredObject>> {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const resource = (await resourcesOf(client, group, version)).find(
    (candidate) => candidate.kind === kind && !candidate.name.includes('/'),
  );
  if (!resource) throw unservedKind(kind, apiVersion);
  return { group, version, kind, plural: resource.name, scope: resource.namespaced ? 'Namespaced' : 'Cluster' };
}

async function resourcesOf(client: Client, group: string, version: string): Promise<readonly ApiResource[]> {
  const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  try {
    return (await client.request<{ resources: ApiResource[] }>({ method: 'GET', path })).resources;
  } catch (error) {
    if (error instanceof NotFoundError) return [];
    throw error;
  }
}

async function established(client: Client, name: string): Promise<void> {
  await eventually(async () => {
    const { spec, status } = await client.get(CustomResourceDefinition, name);
    const isEstablished = status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True');
    if (!isEstablished) throw new OperatorError(`${name} is not established`, { code: 'E_NOT_ESTABLISHED' });
    const { group, versions, names } = spec;
    for (const { name: version, served } of versions) {
      if (served) await kindOf(client, { apiVersion: `${group}/${version}`, kind: names.kind, metadata: { name: '' } });
    }
  }, ESTABLISHED);
}
