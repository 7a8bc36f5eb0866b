import { matchesSelector, type LabelSelector } from '../../../api/selection/label-selector.js';
import { isJsonObject, objectAt, stringAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import type { Resource } from '../../resources/resource.js';
import type { ResourceRegistry } from '../../resources/resource-registry.js';
import type { ObjectStore } from '../../storage/object-store.js';

/** Looks up the objects that a binding passes to its policy as parameters. */
export class PolicyParams {
  constructor(
    private readonly store: ObjectStore,
    private readonly resources: ResourceRegistry,
  ) {}

  /**
   * Returns the parameters, one per evaluation; a single undefined when the policy has none.
   * @throws Error when required parameters are missing or the binding is invalid
   */
  collect(policy: ApiObject, binding: ApiObject, namespace: string): (ApiObject | undefined)[] {
    const { paramKind } = objectAt(policy, 'spec');
    const { paramRef } = objectAt(binding, 'spec');
    if (!isJsonObject(paramKind) || !isJsonObject(paramRef)) return [undefined];
    const [apiVersion, kind] = [stringAt(paramKind, 'apiVersion'), stringAt(paramKind, 'kind')];
    const resource = this.resources.ofKind(apiVersion, kind);
    if (!resource) throw new Error(`paramKind kind \`${apiVersion}, Kind=${kind}\` not known`);
    const found = this.find(resource, paramRef, namespaceOf(resource, paramRef, namespace));
    if (found.length === 0 && paramRef.parameterNotFoundAction === 'Deny')
      throw new Error('no params found for policy binding with `Deny` parameterNotFoundAction');
    return found;
  }

  private find(resource: Resource, paramRef: JsonObject, namespace: string): ApiObject[] {
    const prefix = namespace === '' ? '' : `${namespace}/`;
    const name = stringAt(paramRef, 'name');
    if (name !== '') {
      const stored = this.store.get(resource.storage, prefix + name);
      return stored ? [resource.codec.fromStorage(stored.object)] : [];
    }
    const selector = objectAt(paramRef, 'selector') as LabelSelector;
    return [...this.store.collection(resource.storage).range(prefix)]
      .filter(({ object }) => matchesSelector(selector, object.metadata.labels))
      .map(({ object }) => resource.codec.fromStorage(object));
  }
}

function namespaceOf({ namespaced }: Resource, paramRef: JsonObject, namespace: string): string {
  const given = stringAt(paramRef, 'namespace');
  if (!namespaced) {
    if (given !== '') throw new Error('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
    return '';
  }
  if (given === '' && namespace === '')
    throw new Error('cannot use namespaced paramRef in policy binding that matches cluster-scoped resources');
  return given || namespace;
}
