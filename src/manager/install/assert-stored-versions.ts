import { resourceName } from '../../api/kinds/kind-ref.js';
import { CustomResourceDefinition } from '../../api/kinds/kinds.js';
import { OperatorError } from '../../base/operator-error.js';
import { NotFoundError } from '../../client/api-error.js';
import type { Client } from '../../client/client.js';
import { kindLocation } from '../../resource/kinds/kind-location.js';
import { located } from '../../resource/location.js';
import type { ResourceModel } from '../../resource/model.js';

/**
 * Checks that a definition still has all versions in which objects of the cluster may be stored. The API server rejects
 * a definition without them too, but with no way out.
 *
 * @param models the classes of the definition, and others: an error names the first one, with file and line
 * @throws OperatorError (E_STORED_VERSION) if one of them is missing
 */
export async function assertStoredVersions(
  client: Client,
  { metadata: { name }, spec }: Pick<CustomResourceDefinition, 'metadata' | 'spec'>,
  models: readonly Pick<ResourceModel, 'kind' | 'definesKind' | 'target'>[],
  signal?: AbortSignal,
): Promise<void> {
  const stored = await storedVersions(client, name, signal);
  const versions = spec.versions.map((version) => version.name);
  const missing = stored.filter((version) => !versions.includes(version));
  if (missing.length === 0) return;
  const names = missing.join(', ');
  const problem = `CustomResourceDefinition ${name}: objects may be stored in ${names}, which it removes`;
  const model = models.find(({ kind, definesKind }) => definesKind && resourceName(kind) === name);
  throw new OperatorError(model ? located(kindLocation(model.target), problem) : problem, {
    code: 'E_STORED_VERSION',
    hint: `while ${names} is still installed, run kindwright migrate-storage --crd ${name}`,
  });
}

async function storedVersions(
  client: Client,
  name: string,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  try {
    return (await client.get(CustomResourceDefinition, name, { signal })).status?.storedVersions ?? [];
  } catch (error) {
    if (error instanceof NotFoundError) return [];
    throw error;
  }
}
