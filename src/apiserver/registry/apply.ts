import { keyOf } from '../../api/objects/object-key.js';
import { conflict, notFound, type StatusError } from '../errors/status-error.js';
import type { ApiObject, JsonObject } from '../objects/api-object.js';
import type { Resource } from '../resources/resource.js';
import type { StoredObject } from '../storage/stored-object.js';
import { AppliedConfiguration, type StoredMetadata } from './applied-configuration.js';
import { SYSTEM_USER, type Registry } from './registry.js';
import { resourceFieldManager } from './resource-field-manager.js';
import type { ApplyRequest, UpdateOptions } from './update-options.js';

/** Server-side apply: creates or updates the object. */
export function applyObject(
  registry: Registry,
  resource: Resource,
  { name, namespace, readConfig, place }: ApplyRequest,
  options: UpdateOptions & { force: boolean; checkCreate: () => void },
): { stored: StoredObject; isNew: boolean } {
  const subresource = options.subresource ?? '';
  const isThere = registry.store.get(resource.storage, keyOf(name, namespace)) !== undefined;
  if (!isThere && subresource !== '' && resource.strategy.allowsCreateOnUpdate !== true) throw notFound(resource, name);
  const configuration = new AppliedConfiguration(resource, readConfig());
  const manager = resourceFieldManager(resource, options, registry.now(options.calls));
  const transform = (old: ApiObject): ApiObject => configuration.applyTo(old, manager, options);
  const storedMetadata = (): StoredMetadata | undefined => configuration.storedMetadata;
  if (isThere) {
    const stored = registry.update(resource, name, namespace, (old) => place(transform(old)), {
      ...options,
      isApply: true,
      storedMetadata,
    });
    return { stored, isNew: false };
  }
  const created = transform(emptyObject(resource));
  if (created.metadata.uid) throw uidOfNothing(resource, name, created.metadata.uid);
  options.checkCreate(); // as withAuthorization of handlers/update.go
  return {
    stored: registry.create(resource, place(created), { ...options, isApply: true, isUpdate: true, storedMetadata }),
    isNew: true,
  };
}

function emptyObject({ codec, apiVersion, kind }: Resource): ApiObject {
  return { ...codec.empty(), apiVersion, kind, metadata: {} } as unknown as ApiObject;
}

function uidOfNothing(resource: Resource, name: string, uid: string): StatusError {
  const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
  return conflict(resource, name, why);
}

/** A status that the server writes itself. */
interface SystemStatus {
  readonly name: string;
  readonly status: JsonObject;
  readonly fieldManager: string;
}

/** Applies the status of a cluster-scoped object as SYSTEM_USER. */
export function applyStatus(
  registry: Registry,
  resource: Resource,
  { name, status, fieldManager }: SystemStatus,
): void {
  const { apiVersion, kind } = resource;
  applyObject(
    registry,
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
