import { CustomResourceDefinition } from '../../api/kinds.js';
import { NotFoundError } from '../../client/api-error.js';
import type { Client } from '../../client/client.js';
import { disownFields, ownsFields } from '../../client/field-ownership.js';

const FIELD_MANAGER = 'kindwright-undeploy';

/**
 * Ends the conversion of a kept definition by an operator that was deleted; returns false if it has ended before.
 *
 * Without it, reads of the other versions and the deletion of their namespace would wait for the operator. Versions that
 * are not stored are no longer served: without conversion, a write of them would lose the fields that differ.
 */
export async function endConversion(client: Client, name: string): Promise<boolean> {
  const present = await client.get(CustomResourceDefinition, name).catch((error: unknown) => {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  });
  if (!present) return false;
  const { spec } = present;
  const isConverted = spec.conversion?.webhook?.clientConfig?.service !== undefined;
  if (!isConverted && !ownsFields(present, FIELD_MANAGER)) return false;
  const ended = isConverted ? await serveStoredVersion(client, present) : present;
  // The next `deploy` sets the changed fields without a conflict.
  await disownFields(client, CustomResourceDefinition, ended, FIELD_MANAGER);
  return isConverted;
}

function serveStoredVersion(
  client: Client,
  { spec, metadata }: CustomResourceDefinition,
): Promise<CustomResourceDefinition> {
  const { name, resourceVersion } = metadata;
  const versions = spec.versions.map((version) => ({ ...version, served: version.storage }));
  const change = { metadata: { resourceVersion }, spec: { conversion: { strategy: 'None', webhook: null }, versions } };
  return client.patch(CustomResourceDefinition, name, change, { fieldManager: FIELD_MANAGER });
}
