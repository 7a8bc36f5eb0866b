import type { ValidationRule } from '../../../api/schema/json-schema.js';
import type { FeatureGate } from '../../feature-gates.js';
import { metadataKey, prependMetadata } from '../../metadata.js';

/** Which field goes with which value of the discriminator. */
export interface UnionOptions {
  /** The field that names the member in use. */
  readonly discriminator: string;
  /** Value of the discriminator -> the field that must be there then, and only then. */
  readonly members: Readonly<Record<string, string>>;
}

/** Rules in CEL of a class or of one of its properties, and the properties that the class must have for them. */
export interface ClassRule {
  /** The decorator, for messages: `@ExactlyOneOf`. */
  readonly decorator: string;
  /** None where the rules are the class's own. */
  readonly property?: string | undefined;
  readonly rules: readonly ValidationRule[];
  /** Fields that the class must have. */
  readonly fields?: readonly string[];
  /** Fields that must not be required, because the rule decides when they must be set. */
  readonly optionalFields?: readonly string[];
  /** The union that the rules define. */
  readonly union?: UnionOptions;
  readonly gate?: FeatureGate | undefined;
}

export const CLASS_RULE = metadataKey<ClassRule>('rule', ({ gate }) => gate);

/** Adds a rule to the class. Its decorator can be applied to the class or to a property. */
export function addClassRule(target: object, rule: ClassRule): void {
  // The target of a property decorator is the prototype.
  const owner = typeof target === 'function' ? target : target.constructor;
  prependMetadata(CLASS_RULE, owner, rule);
}
