/** One rule that a class-validator decorator put on a property. */
export interface Constraint {
  readonly property: string;
  /** class-validator's name of the rule: `min`, `isInt`; its type where it gives none: `nestedValidation`. */
  readonly name: string;
  readonly args: readonly unknown[];
  /** On each item of a list or value of a map, rather than the list or map itself. */
  readonly isOnEach: boolean;
  /** Holds only in some cases: of a group, or under a condition. */
  readonly isConditional: boolean;
}

/** class-validator's ValidationMetadata, as far as it is read. */
interface ValidationMetadata {
  readonly type: string;
  readonly name?: string;
  readonly propertyName: string;
  readonly constraints?: readonly unknown[];
  readonly each?: boolean;
  readonly groups?: readonly string[];
  readonly validateIf?: unknown;
}

interface Storage {
  readonly validationMetadatas: ReadonlyMap<unknown, readonly ValidationMetadata[]>;
}

/**
 * The constraints that a class itself declares.
 *
 * class-validator keeps them in a global storage, so it is not loaded for those who do not use it.
 */
export function constraintsOf(target: object): Constraint[] {
  const { classValidatorMetadataStorage: storage } = globalThis as { classValidatorMetadataStorage?: Storage };
  return (storage?.validationMetadatas.get(target) ?? []).map((metadata) => ({
    property: metadata.propertyName,
    name: metadata.name ?? metadata.type,
    args: metadata.constraints ?? [],
    isOnEach: metadata.each === true,
    isConditional: metadata.validateIf !== undefined || (metadata.groups?.length ?? 0) > 0,
  }));
}
