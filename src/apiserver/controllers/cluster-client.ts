import { applyObject } from '../registry/apply.js';
import { deepEqual } from '../../base/deep-equal.js';
import type { Clock } from '../../base/clock.js';
import type { Logger } from '../../base/logger.js';
import type { OwnerReference } from '../../api/objects/kube-object.js';
import { controllerOf } from '../../api/kinds/owner-reference.js';
import { writeOrWait } from '../admission/pending-write.js';
import type { RemoteCalls } from '../remote/remote-calls.js';
import type { ApiServer } from '../server/api-server.js';
import { StatusError } from '../errors/status-error.js';
import { bindPod } from '../handlers/subresource/pods/pod-binding.js';
import type { ApiObject, JsonObject } from '../objects/api-object.js';
import { DecodeReport } from '../schema/decode-report.js';
import { SYSTEM_USER } from '../registry/registry.js';
import type { DeleteOptions, WriteOptions } from '../registry/write-options.js';
import type { Resource } from '../resources/resource.js';

/** The API access of controllers: reads from the store, and writes with the validation and admission of any client. */
export class ClusterClient {
  constructor(
    readonly api: ApiServer,
    readonly clock: Clock,
    readonly logger: Logger,
    private readonly fieldManager = 'kube-controller-manager',
  ) {}

  get store() {
    return this.api.registry.store;
  }

  get now(): string {
    return this.api.registry.now();
  }

  get(resource: Resource, key: string): ApiObject | undefined {
    return this.store.get(resource.storage, key)?.object;
  }

  *list(resource: Resource, namespace = ''): Generator<ApiObject> {
    for (const { object } of this.store.collection(resource.storage).range(namespace === '' ? '' : `${namespace}/`))
      yield object;
  }

  /** The objects of a namespace that `owner` controls. */
  ownedBy(resource: Resource, owner: ApiObject): ApiObject[] {
    return [...this.list(resource, owner.metadata.namespace)].filter(
      (object) => controllerOf(object)?.uid === owner.metadata.uid,
    );
  }

  create(resource: Resource, object: JsonObject): ApiObject {
    const whole = { kind: resource.kind, apiVersion: resource.apiVersion, ...object };
    const decoded = (): ApiObject => resource.codec.decode(whole, new DecodeReport());
    return writeOrWait((calls) => this.api.registry.create(resource, decoded(), this.options(calls))).object;
  }

  update(resource: Resource, object: ApiObject, change: (old: ApiObject) => ApiObject, subresource = ''): void {
    const { name, namespace } = object.metadata;
    writeOrWait((calls) =>
      this.api.registry.update(resource, name, namespace, change, { ...this.options(calls), subresource }),
    );
  }

  /** Applies a configuration of a cluster-scoped object with the given field manager. */
  apply(resource: Resource, configuration: JsonObject & { metadata: { name: string } }, fieldManager: string): void {
    const { name } = configuration.metadata;
    const config = { kind: resource.kind, apiVersion: resource.apiVersion, ...configuration };
    const request = { name, namespace: undefined, readConfig: () => config, place: (object: ApiObject) => object };
    writeOrWait((calls) =>
      applyObject(this.api.registry, resource, request, {
        ...this.options(calls),
        fieldManager,
        force: true,
        checkCreate: () => undefined,
      }),
    );
  }

  /** Binds a pod to a node, as the scheduler does. */
  bind(pods: Resource, { metadata: { name, namespace = '' } }: ApiObject, node: ApiObject): void {
    const binding = { metadata: { name }, target: { kind: 'Node', name: node.metadata.name } };
    writeOrWait((calls) => bindPod(this.api.registry, pods, namespace, binding, this.options(calls)));
  }

  /** Writes the status if it differs. */
  updateStatus(resource: Resource, object: ApiObject, status: JsonObject): void {
    if (!deepEqual(object.status, status)) this.update(resource, object, (old) => ({ ...old, status }), 'status');
  }

  /** Deletes an object; missing objects and conflicts are ignored. */
  remove(resource: Resource, { metadata }: ApiObject, options: DeleteOptions = {}): void {
    try {
      const deletion = { preconditions: { uid: metadata.uid }, ...options };
      writeOrWait((calls) =>
        this.api.remover.remove(resource, metadata.name, metadata.namespace, deletion, SYSTEM_USER, { calls }),
      );
    } catch (error) {
      if (!(error instanceof StatusError && (error.code === 404 || error.code === 409))) throw error;
    }
  }

  private options(calls: RemoteCalls): WriteOptions {
    return { user: SYSTEM_USER, fieldManager: this.fieldManager, calls };
  }

  resource(apiVersion: string, plural: string): Resource {
    const found = this.api.resources.find(apiVersion, plural);
    if (!found) throw new Error(`unknown resource ${apiVersion}/${plural}`);
    return found;
  }
}

/** Returns an owner reference with `owner` as the controller. */
export function controlledBy(resource: Resource, { metadata }: ApiObject): OwnerReference {
  const { apiVersion, kind } = resource;
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '', controller: true, blockOwnerDeletion: true };
}
