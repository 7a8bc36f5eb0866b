import type { JsonObject } from '../objects/api-object.js';
import type { Resource } from '../resources/resource.js';
import { SYSTEM_USER, type Registry } from './registry.js';

/** What the server itself finds of an object. */
interface FoundStatus {
  readonly name: string;
  readonly status: JsonObject;
  readonly fieldManager: string;
}

/** Applies the status of an object without a namespace, by the server's own hand. */
export function applyStatus(registry: Registry, resource: Resource, { name, status, fieldManager }: FoundStatus): void {
  const { apiVersion, kind } = resource;
  registry.apply(
    resource,
    {
      name,
      namespace: undefined,
      readConfig: () => ({ apiVersion, kind, metadata: { name }, status }),
      place: (object) => object,
    },
    { user: SYSTEM_USER, fieldManager, subresource: 'status', force: true, checkCreate: () => undefined },
  );
}
