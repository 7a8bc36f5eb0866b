import { hostname } from 'node:os';
import { CustomResourceDefinition } from '../../api/kinds/kinds.js';
import type { Client } from '../../client/client.js';
import { processAnnotation } from './registering-process.js';
import { serveConverted, serveOnlyStored } from './served-versions.js';

/** Owns the conversion of a CustomResourceDefinition, so that other appliers of the definition leave it alone. */
const FIELD_MANAGER = 'kindwright-conversion';
/** Names the process that converts the objects of a definition. */
const CONVERTED_BY = 'kindwright.dev/converted-by';

/**
 * Lets this process convert the objects of a definition.
 *
 * @param served the versions that its classes serve
 */
export async function setConversion(
  client: Client,
  name: string,
  webhook: object,
  served: readonly string[],
): Promise<void> {
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name,
      annotations: { [CONVERTED_BY]: `process ${process.pid} on ${hostname()}`, ...processAnnotation() },
    },
    spec: { conversion: { strategy: 'Webhook', webhook } },
  };
  const options = { fieldManager: FIELD_MANAGER, force: true };
  await serveConverted(client, await client.apply(CustomResourceDefinition, definition, options), served);
}

/**
 * Ends the conversion of a definition by a process.
 *
 * @throws ConflictError if the definition has changed since it was read
 */
export async function resetConversion(client: Client, definition: CustomResourceDefinition): Promise<void> {
  const annotations = Object.fromEntries([CONVERTED_BY, ...Object.keys(processAnnotation())].map((key) => [key, null]));
  await serveOnlyStored(client, definition, annotations);
}

/** Returns true if a process set the conversion of the definition for the time of a run. */
export function isLocalConversion({ metadata }: CustomResourceDefinition): boolean {
  return metadata.annotations?.[CONVERTED_BY] !== undefined;
}

/** Names the present converter of a definition; undefined if it has none. */
export function converterOf({ metadata, spec }: CustomResourceDefinition): string | undefined {
  const { service, url } = spec.conversion?.webhook?.clientConfig ?? {};
  if (service) return `the operator behind the Service ${service.namespace}/${service.name}`;
  if (url === undefined) return undefined;
  return metadata.annotations?.[CONVERTED_BY] ?? url;
}
