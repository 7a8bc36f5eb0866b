import { matchesSelector, type LabelSelector } from '../../api/selection/label-selector.js';
import { controllerOf } from '../../api/kinds/owner-reference.js';
import { objectAt, type ApiObject } from '../objects/api-object.js';
import type { Resource } from '../resources/resource.js';
import { controlledBy, type ClusterClient } from './cluster-client.js';

export interface ControllerRefOptions {
  readonly owners: Resource;
  readonly dependents: Resource;
  /** Default: `spec.selector`. Returns undefined for an owner that adopts nothing. */
  readonly selectorOf?: (owner: ApiObject) => LabelSelector | undefined;
  /** Excludes dependents that match the selector. Default: all are included. */
  isMember?(dependent: ApiObject, owner: ApiObject): boolean;
  /** Added to adopted dependents, and removed from released ones. */
  readonly finalizer?: string;
}

/** Adopts and releases dependents by the owners' selectors, like client-go's ControllerRefManager. */
export class ControllerRefManager {
  constructor(
    private readonly client: ClusterClient,
    private readonly options: ControllerRefOptions,
  ) {}

  /** Adopts orphans that match the owner's selector, and releases its dependents that no longer match. */
  claim(owner: ApiObject): void {
    if (owner.metadata.deletionTimestamp !== undefined) return;
    for (const dependent of [...this.client.list(this.options.dependents, owner.metadata.namespace)]) {
      if (this.options.isMember?.(dependent, owner) === false) continue;
      const { uid } = controllerOf(dependent) ?? {};
      if (uid === undefined) this.adoptIfWanted(owner, dependent);
      else if (uid === owner.metadata.uid && !this.matches(owner, dependent)) this.release(owner, dependent);
    }
  }

  /** Returns the owners with selectors that match an object; empty if the object already has a controller. */
  *ownersOf(orphan: ApiObject): Generator<ApiObject> {
    if (controllerOf(orphan)) return;
    for (const owner of this.client.list(this.options.owners, orphan.metadata.namespace))
      if (this.matches(owner, orphan)) yield owner;
  }

  private matches(owner: ApiObject, { metadata }: ApiObject): boolean {
    const { selectorOf = ownSelector } = this.options;
    const selector = selectorOf(owner);
    return selector !== undefined && matchesSelector(selector, metadata.labels);
  }

  private adoptIfWanted(owner: ApiObject, dependent: ApiObject): void {
    if (dependent.metadata.deletionTimestamp !== undefined || !this.matches(owner, dependent)) return;
    const { owners, dependents, finalizer } = this.options;
    const reference = controlledBy(owners, owner);
    this.client.update(dependents, dependent, ({ metadata, ...rest }) => ({
      ...rest,
      metadata: {
        ...metadata,
        ownerReferences: [...(metadata.ownerReferences ?? []), reference],
        ...(finalizer !== undefined && { finalizers: [...new Set([...(metadata.finalizers ?? []), finalizer])] }),
      },
    }));
  }

  private release(owner: ApiObject, dependent: ApiObject): void {
    const { dependents, finalizer } = this.options;
    this.client.update(dependents, dependent, ({ metadata, ...rest }) => ({
      ...rest,
      metadata: {
        ...metadata,
        ownerReferences: (metadata.ownerReferences ?? []).filter(({ uid }) => uid !== owner.metadata.uid),
        ...(finalizer !== undefined && {
          finalizers: (metadata.finalizers ?? []).filter((present) => present !== finalizer),
        }),
      },
    }));
  }
}

function ownSelector({ spec }: ApiObject): LabelSelector | undefined {
  return objectAt({ spec }, 'spec').selector as LabelSelector | undefined;
}
