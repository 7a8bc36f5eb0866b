import { eachObject, objectAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import type { Resource } from '../../resources/resource.js';

/** The remaining objects of a namespace that is being deleted, by resource. */
export type Remains = ReadonlyMap<Resource, readonly ApiObject[]>;

/** Reasons and messages of the conditions if nothing blocks the deletion. */
const UNBLOCKED: Readonly<Record<string, readonly [reason: string, message: string]>> = {
  NamespaceDeletionDiscoveryFailure: ['ResourcesDiscovered', 'All resources successfully discovered'],
  NamespaceDeletionGroupVersionParsingFailure: ['ParsedGroupVersions', 'All legacy kube types successfully parsed'],
  NamespaceDeletionContentFailure: [
    'ContentDeleted',
    'All content successfully deleted, may be waiting on finalization',
  ],
  NamespaceContentRemaining: ['ContentRemoved', 'All content successfully removed'],
  NamespaceFinalizersRemaining: ['ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
};

/**
 * Returns the conditions of a namespace that is being deleted, as deletion/status_condition_utils.go does. The
 * transition time changes with the status only.
 */
export function namespaceConditions(namespace: ApiObject, remains: Remains, now: string): JsonObject[] {
  const present = eachObject(objectAt(namespace, 'status').conditions);
  const found: Readonly<Partial<Record<string, readonly [string, string]>>> = {
    NamespaceContentRemaining: described('SomeResourcesRemain', 'Some resources are remaining', resourcesIn(remains)),
    NamespaceFinalizersRemaining: described(
      'SomeFinalizersRemain',
      'Some content in the namespace has finalizers remaining',
      finalizersIn(remains),
    ),
  };
  return Object.entries(UNBLOCKED).map(([type, unblocked]) => {
    const [reason, message] = found[type] ?? unblocked;
    const status = found[type] ? 'True' : 'False';
    const former = present.find((condition) => condition.type === type);
    const lastTransitionTime = former?.status === status ? former.lastTransitionTime : now;
    return { type, status, lastTransitionTime, reason, message };
  });
}

function described(reason: string, what: string, lines: readonly string[]): readonly [string, string] | undefined {
  return lines.length === 0 ? undefined : [reason, `${what}: ${[...lines].sort().join(', ')}`];
}

function resourcesIn(remains: Remains): string[] {
  return [...remains].map(([{ plural, group }, { length }]) => `${plural}.${group} has ${length} resource instances`);
}

function finalizersIn(remains: Remains): string[] {
  const names = [...remains.values()].flat().flatMap(({ metadata }) => metadata.finalizers ?? []);
  return [...Map.groupBy(names, (name) => name)].map(([name, { length }]) => `${name} in ${length} resource instances`);
}
