import { CustomResourceDefinition } from '../../api/kinds/kinds.js';
import type { Client } from '../../client/client.js';
import { disownFields, ownsFields } from '../../client/fields/field-ownership.js';

/** Owns the versions of a definition while it changes them. */
const FIELD_MANAGER = 'kindwright-undeploy';

/** Names the versions that are not served until the kind has a converter again, with commas between them. */
const UNSERVED = 'kindwright.dev/unserved-versions';

/**
 * Ends the conversion of a definition whose converter has ended. Versions that are not stored are no longer served:
 * without conversion, a write of them would lose the fields that differ. No field manager owns the changes, so that the next
 * apply of the definition sets the fields without a conflict.
 *
 * @param annotations set too; null removes one
 * @throws ConflictError if the definition has changed since it was read
 */
export async function serveOnlyStored(
  client: Client,
  definition: CustomResourceDefinition,
  annotations: Readonly<Record<string, string | null>> = {},
): Promise<void> {
  const { versions } = definition.spec;
  const unserved = versions.filter(({ served, storage }) => served && !storage).map(({ name }) => name);
  await change(client, definition, {
    annotations: { ...annotations, ...(unserved.length > 0 && { [UNSERVED]: unserved.join(',') }) },
    spec: {
      conversion: { strategy: 'None', webhook: null },
      versions: versions.map((version) => ({ ...version, served: version.storage })),
    },
  });
}

/**
 * Serves the versions again that `serveOnlyStored` ended, if a class of the process serves them. The kind must be
 * converted.
 *
 * @param served the versions that the classes serve
 */
export async function serveConverted(
  client: Client,
  definition: CustomResourceDefinition,
  served: readonly string[],
): Promise<void> {
  const unserved = definition.metadata.annotations?.[UNSERVED]?.split(',');
  if (!unserved) return;
  const isServed = (name: string): boolean => unserved.includes(name) && served.includes(name);
  const versions = definition.spec.versions.map((version) =>
    isServed(version.name) ? { ...version, served: true } : version,
  );
  await change(client, definition, { annotations: { [UNSERVED]: null }, spec: { versions } });
}

/** Ends the ownership of a change during which the process ended. */
export async function disownVersions(client: Client, definition: CustomResourceDefinition): Promise<void> {
  if (ownsFields(definition, FIELD_MANAGER))
    await disownFields(client, CustomResourceDefinition, definition, FIELD_MANAGER);
}

async function change(
  client: Client,
  { metadata: { name, resourceVersion } }: CustomResourceDefinition,
  { annotations, spec }: { readonly annotations: object; readonly spec: object },
): Promise<void> {
  const patch = { metadata: { resourceVersion, annotations }, spec };
  const changed = await client.patch(CustomResourceDefinition, name, patch, { fieldManager: FIELD_MANAGER });
  await disownVersions(client, changed);
}
