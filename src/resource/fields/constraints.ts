/** One rule that a class-validator decorator put on a property. */
export interface Constraint {
  readonly property: string;
  /** class-validator's name of the rule: `min`, `isInt`; its type where it gives none: `nestedValidation`. */
  readonly name: string;
  readonly args: readonly unknown[];
  /** On each item of a list or value of a map, rather than the list or map itself. */
  readonly isOnEach: boolean;
  /** The option `message`: a text, or a function that class-validator calls with the value. */
  readonly message?: unknown;
  /** Limited to a group or a condition. */
  readonly isConditional: boolean;
}

/** The parts of class-validator's ValidationMetadata that are read. */
interface ValidationMetadata {
  readonly type: string;
  readonly name?: string;
  readonly propertyName: string;
  readonly constraints?: readonly unknown[];
  readonly each?: boolean;
  readonly message?: unknown;
  readonly groups?: readonly string[];
  readonly validateIf?: unknown;
}

interface Storage {
  readonly validationMetadatas: ReadonlyMap<unknown, readonly ValidationMetadata[]>;
}

/**
 * The constraints that a class itself declares.
 *
 * class-validator keeps them in a global storage, so it is not loaded for users without it.
 */
export function constraintsOf(target: object): Constraint[] {
  const { classValidatorMetadataStorage: storage } = globalThis as { classValidatorMetadataStorage?: Storage };
  return (storage?.validationMetadatas.get(target) ?? []).map((metadata) => ({
    property: metadata.propertyName,
    name: metadata.name ?? metadata.type,
    args: metadata.constraints ?? [],
    isOnEach: metadata.each === true,
    message: metadata.message,
    isConditional: metadata.validateIf !== undefined || (metadata.groups?.length ?? 0) > 0,
  }));
}
