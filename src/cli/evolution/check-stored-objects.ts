import { CustomResourceDefinition } from '../../api/kinds/kinds.js';
import type { KindRef } from '../../api/kinds/kind-ref.js';
import { objectKey } from '../../api/objects/object-key.js';
import type { UnstructuredObject } from '../../api/objects/kube-object.js';
import { NotFoundError } from '../../client/api-error.js';
import type { Client } from '../../client/client.js';
import type { DefinitionVersion } from '../../api/kinds/definition-parts.js';
import { storedObjectProblems } from '../../evolution/stored-object-problems.js';

/** A stored object that is invalid under a new schema, or would lose fields. */
export interface FailingObject {
  readonly definition: string;
  /** Namespace and name. */
  readonly key: string;
  readonly problems: readonly string[];
}

/**
 * The objects of a cluster that are invalid under new definitions.
 *
 * They are read in the storage version of the new definition if the cluster serves it, otherwise in the storage version of
 * the cluster without conversion: versions without a conversion webhook differ only in their name.
 */
export async function checkStoredObjects(
  definitions: readonly CustomResourceDefinition[],
  client: Client,
  onChecked: (definition: string, count: number) => void,
): Promise<FailingObject[]> {
  const found: FailingObject[] = [];
  for (const definition of definitions) {
    const { name } = definition.metadata;
    const objects = await storedObjects(definition, client);
    const problemsOf = storedObjectProblems(storedVersion(definition)?.schema?.openAPIV3Schema ?? {});
    for (const object of objects) {
      const problems = problemsOf(object);
      if (problems.length > 0) found.push({ definition: name, key: objectKey(object), problems });
    }
    onChecked(name, objects.length);
  }
  return found;
}

async function storedObjects(next: CustomResourceDefinition, client: Client): Promise<UnstructuredObject[]> {
  const installed = await installedDefinition(next.metadata.name, client);
  if (!installed) return [];
  const { group, names, scope } = installed.spec;
  const wanted = storedVersion(next)?.name;
  const served = installed.spec.versions.filter((version) => version.served);
  const version = served.find(({ name }) => name === wanted) ?? served.find(({ storage }) => storage) ?? served[0];
  if (!version) return [];
  const kind: KindRef<UnstructuredObject> = {
    group,
    version: version.name,
    kind: names.kind,
    plural: names.plural,
    scope: scope as KindRef['scope'],
  };
  return (await client.list(kind)).items;
}

async function installedDefinition(name: string, client: Client): Promise<CustomResourceDefinition | undefined> {
  try {
    return await client.get(CustomResourceDefinition, name);
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

function storedVersion({ spec }: CustomResourceDefinition): DefinitionVersion | undefined {
  return spec.versions.find(({ storage }) => storage);
}
