import { hostname } from 'node:os';
import { CustomResourceDefinition } from '../../api/kinds.js';
import type { Client } from '../../client/client.js';
import { processAnnotation } from './registering-process.js';

/** Owns the conversion of a CustomResourceDefinition, so that other appliers of the definition leave it alone. */
const FIELD_MANAGER = 'kindwright-conversion';
/** Names the process that converts the objects of a definition. */
const CONVERTED_BY = 'kindwright.dev/converted-by';

/** Lets this process convert the objects of a definition. */
export async function setConversion(client: Client, name: string, webhook: object): Promise<void> {
  const annotations = { [CONVERTED_BY]: `process ${process.pid} on ${hostname()}`, ...processAnnotation() };
  await apply(client, { name, annotations }, { conversion: { strategy: 'Webhook', webhook } });
}

/**
 * Ends the conversion of a definition by a process.
 *
 * @throws ConflictError if the definition no longer has the given resourceVersion
 */
export async function resetConversion(client: Client, name: string, resourceVersion?: string): Promise<void> {
  await apply(client, { name, ...(resourceVersion !== undefined && { resourceVersion }) }, undefined);
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

async function apply(client: Client, metadata: object, spec: object | undefined): Promise<void> {
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata,
    ...(spec && { spec }),
  };
  await client.apply(CustomResourceDefinition, definition, { fieldManager: FIELD_MANAGER, force: true });
}
