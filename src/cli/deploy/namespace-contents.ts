import type { KindRef } from '../../api/kinds/kind-ref.js';
import type { UnstructuredObject } from '../../api/objects/kube-object.js';
import { NotFoundError } from '../../client/api-error.js';
import type { Client } from '../../client/client.js';
import { definitionsOf } from './crd-objects.js';
import type { OperatorObject } from './operator-objects.js';

/** Events and Leases record what happened and which process leads; they contain no data of users. */
const RECORDS: ReadonlySet<string> = new Set(['events', 'leases']);
/** Objects that the cluster creates in each namespace. */
const OF_EACH_NAMESPACE: ReadonlySet<string> = new Set(['ConfigMap kube-root-ca.crt', 'ServiceAccount default']);

interface Discovery {
  readonly groups: readonly { readonly versions: readonly { readonly groupVersion: string }[] }[];
}

interface Resources {
  readonly resources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
    readonly verbs: readonly string[];
  }[];
}

/** The objects of `deploy`: also those that do not exist any more. */
export interface DeployedObjects {
  readonly objects: readonly OperatorObject[];
  readonly uids: ReadonlySet<string>;
  /** Their objects are deleted with them. */
  readonly deletedDefinitions: readonly OperatorObject[];
}

/**
 * Returns the objects, such as `Secret database`, that a namespace contains beyond those of `deploy`, the dependents of
 * these, and the objects that the cluster creates in each namespace. They would be deleted with the namespace.
 *
 * Reads all kinds that the API server serves, also of other operators.
 */
export async function foreignObjects(client: Client, namespace: string, deployed: DeployedObjects): Promise<string[]> {
  const kinds = (await namespacedKinds(client)).filter((kind) => !isDeleted(kind, deployed.deletedDefinitions));
  const found = (await Promise.all(kinds.map((kind) => objectsIn(client, kind, namespace)))).flat();
  const own = new Set(deployed.uids);
  for (let count = -1; count !== own.size;) {
    count = own.size;
    for (const { object } of found)
      if (object.metadata.ownerReferences?.some(({ uid }) => own.has(uid))) own.add(object.metadata.uid ?? '');
  }
  const certificateSecrets = new Set(deployed.objects.map(certificateSecretOf));
  return found
    .filter(({ object }) => !own.has(object.metadata.uid ?? ''))
    .map(({ kind, object }) => `${kind.kind} ${object.metadata.name}`)
    .filter((object) => !OF_EACH_NAMESPACE.has(object) && !certificateSecrets.has(object))
    .sort();
}

function isDeleted({ group, plural }: KindRef, definitions: readonly OperatorObject[]): boolean {
  return definitionsOf(definitions).some(({ object }) => object.metadata.name === `${plural}.${group}`);
}

/** The Secret that cert-manager creates for a Certificate, without an owner. */
function certificateSecretOf({ kind, object }: OperatorObject): string | undefined {
  const { secretName } = (object['spec'] ?? {}) as { readonly secretName?: string };
  return kind.kind === 'Certificate' && secretName !== undefined ? `Secret ${secretName}` : undefined;
}

/** The kinds whose objects a namespace can contain; each once, in the first version that serves it. */
async function namespacedKinds(client: Client): Promise<KindRef<UnstructuredObject>[]> {
  const { groups } = await client.request<Discovery>({ method: 'GET', path: '/apis' });
  const versions = ['v1', ...groups.flatMap((group) => group.versions.map(({ groupVersion }) => groupVersion))];
  const kinds = (await Promise.all(versions.map((version) => kindsOf(client, version)))).flat();
  return [...new Map(kinds.toReversed().map((kind) => [`${kind.plural}.${kind.group}`, kind])).values()];
}

async function kindsOf(client: Client, groupVersion: string): Promise<KindRef<UnstructuredObject>[]> {
  const [version = '', group = ''] = groupVersion.split('/').toReversed();
  const path = `/${group === '' ? 'api' : 'apis'}/${groupVersion}`;
  const { resources } = await client.request<Resources>({ method: 'GET', path });
  return resources
    .filter(({ name, namespaced, verbs }) => namespaced && !name.includes('/') && isStored(verbs) && !RECORDS.has(name))
    .map(({ name, kind }) => ({ group, version, kind, plural: name, scope: 'Namespaced' }));
}

/** Others, such as PodMetrics, are computed from stored objects. */
function isStored(verbs: readonly string[]): boolean {
  return verbs.includes('list') && verbs.includes('delete');
}

async function objectsIn(
  client: Client,
  kind: KindRef<UnstructuredObject>,
  namespace: string,
): Promise<OperatorObject[]> {
  try {
    return (await client.list(kind, { namespace })).items.map((object) => ({ kind, object }));
  } catch (error) {
    if (error instanceof NotFoundError) return []; // its definition was deleted meanwhile
    throw error;
  }
}
