import { CustomResourceDefinition } from '../api/kinds.js';
import type { UnstructuredObject } from '../api/kube-object.js';
import type { KindRef } from '../api/kind-ref.js';
import { eventually } from '../base/eventually.js';
import { OperatorError } from '../base/operator-error.js';
import { NotFoundError } from '../client/api-error.js';
import type { Client } from '../client/client.js';

interface ApiResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** Applies objects of any kinds in their order; a CRD is waited for, so that its objects may follow it. */
export async function applyObjects(
  client: Client,
  objects: readonly UnstructuredObject[],
): Promise<UnstructuredObject[]> {
  const applied: UnstructuredObject[] = [];
  for (const object of objects) {
    const kind = await kindOf(client, object);
    const namespace = kind.scope === 'Namespaced' ? (object.metadata.namespace ?? 'default') : undefined;
    applied.push(await client.apply(kind, object, { ...(namespace !== undefined && { namespace }), force: true }));
    if (object.kind === 'CustomResourceDefinition') await established(client, object.metadata.name);
  }
  return applied;
}

async function kindOf(client: Client, { apiVersion, kind }: UnstructuredObject): Promise<KindRef<UnstructuredObject>> {
  if (apiVersion === undefined || kind === undefined) {
    throw new OperatorError('an object to apply has no apiVersion or no kind', { code: 'E_KIND_UNKNOWN' });
  }
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const resource = (await resourcesOf(client, group, version)).find(
    (candidate) => candidate.kind === kind && !candidate.name.includes('/'),
  );
  if (!resource) {
    throw new OperatorError(`the cluster serves no ${kind} of ${apiVersion}`, {
      code: 'E_KIND_UNKNOWN',
      hint: 'await cluster.install(YourClass), or apply its CustomResourceDefinition first',
    });
  }
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
  });
}
