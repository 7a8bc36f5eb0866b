import { CustomResourceDefinition } from '../../api/kinds.js';
import type { KubeObject } from '../../api/kube-object.js';
import { NotFoundError } from '../../client/api-error.js';
import type { Client } from '../../client/client.js';

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
  const { spec, metadata } = present;
  const isConverted = spec.conversion?.webhook?.clientConfig?.service !== undefined;
  if (isConverted) {
    const versions = spec.versions.map((version) => ({ ...version, served: version.storage }));
    await patch(client, present, { spec: { conversion: { strategy: 'None', webhook: null }, versions } });
    await disown(client, await client.get(CustomResourceDefinition, name));
  } else if (managersOf(metadata).some(isOwn)) await disown(client, present);
  return isConverted;
}

/** Gives up the ownership of the changed fields, so that the next `deploy` sets them without a conflict. */
async function disown(client: Client, definition: CustomResourceDefinition): Promise<void> {
  const managedFields = managersOf(definition.metadata).filter((entry) => !isOwn(entry));
  await patch(client, definition, { metadata: { managedFields } });
}

async function patch(
  client: Client,
  { metadata: { name, resourceVersion } }: CustomResourceDefinition,
  change: { readonly metadata?: object; readonly spec?: object },
): Promise<void> {
  const body = { ...change, metadata: { ...change.metadata, resourceVersion } };
  await client.patch(CustomResourceDefinition, name, body, { fieldManager: FIELD_MANAGER });
}

interface ManagedFields {
  readonly manager?: string;
}

function managersOf(metadata: KubeObject['metadata']): readonly ManagedFields[] {
  return (metadata as { readonly managedFields?: readonly ManagedFields[] }).managedFields ?? [];
}

function isOwn({ manager }: ManagedFields): boolean {
  return manager === FIELD_MANAGER;
}
