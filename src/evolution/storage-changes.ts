import type { CustomResourceDefinition } from '../api/kinds/kinds.js';

/** A change of the storage version of a kind. */
export interface StorageChange {
  /** The name of the CustomResourceDefinition: `podsets.apps.example.com`. */
  readonly definition: string;
  readonly from: string;
  readonly to: string;
  /** True if the published definition does not have the version `to`. */
  readonly isNew: boolean;
  /** True if the next definition does not have the version `from`. */
  readonly isRemoved: boolean;
}

/** Returns the changes of the definitions that are in both states of an API. */
export function storageChanges(
  published: readonly CustomResourceDefinition[],
  next: readonly CustomResourceDefinition[],
): StorageChange[] {
  return next.flatMap((definition) => {
    const former = published.find(({ metadata }) => metadata.name === definition.metadata.name);
    return (former && storageChange(former, definition)) ?? [];
  });
}

/** Compares the storage versions of two states of a definition; undefined if they are equal. */
export function storageChange(
  former: CustomResourceDefinition,
  next: CustomResourceDefinition,
): StorageChange | undefined {
  const [from, to] = [storageVersion(former), storageVersion(next)];
  if (from === undefined || to === undefined || from === to) return undefined;
  const [isNew, isRemoved] = [!hasVersion(former, to), !hasVersion(next, from)];
  return { definition: next.metadata.name, from, to, isNew, isRemoved };
}

function storageVersion({ spec }: CustomResourceDefinition): string | undefined {
  return spec.versions.find(({ storage }) => storage)?.name;
}

function hasVersion({ spec }: CustomResourceDefinition, version: string): boolean {
  return spec.versions.some(({ name }) => name === version);
}
