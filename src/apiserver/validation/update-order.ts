import type { FieldError } from '../../api/protocol/field-error.js';
import { dnsSubdomainErrors } from '../../api/objects/names.js';
import type { ApiObject } from '../objects/api-object.js';
import { standardFinalizerErrors, validateObjectMeta, validateObjectMetaUpdate } from './fields/object-meta.js';

type Validate = (object: ApiObject, old?: ApiObject) => FieldError[];
type ValidateChange = (next: ApiObject, old: ApiObject, subresource: string) => FieldError[];

const none = (): FieldError[] => [];

/** The differences between kinds in the validation of metadata. */
interface MetadataRules {
  readonly allowsAnyFinalizer?: boolean;
  /** Default: the rules of a DNS subdomain. */
  readonly nameErrors?: (name: string) => string[];
}

/** Returns the errors of the metadata of an existing object: its name has been checked, but not its generateName. */
function metadataErrors(
  object: ApiObject,
  { allowsAnyFinalizer = false, nameErrors }: MetadataRules = {},
): FieldError[] {
  const prefixErrors = (text: string, isPrefix: boolean): string[] =>
    isPrefix ? (nameErrors ?? dnsSubdomainErrors)(text) : [];
  return validateObjectMeta(object, object.metadata.namespace !== undefined, prefixErrors, allowsAnyFinalizer);
}

function metadataChangeErrors(next: ApiObject, old: ApiObject, allowsAnyFinalizer: boolean): FieldError[] {
  return [
    ...validateObjectMetaUpdate(next, old),
    ...(allowsAnyFinalizer ? [] : standardFinalizerErrors(next.metadata)),
  ];
}

const isWhole = (subresource: string): boolean => subresource === '' || subresource === 'scale';

/** Validates the object as on creation first, then the changes. */
export const objectThenChange =
  (validate: Validate, change: ValidateChange = none, rules: MetadataRules = {}): ValidateChange =>
  (next, old, subresource) => [
    ...(isWhole(subresource) ? [...metadataErrors(next, rules), ...validate(next, old)] : []),
    ...metadataChangeErrors(next, old, rules.allowsAnyFinalizer === true),
    ...change(next, old, subresource),
  ];

/** Validates the changes first, then the object as on creation. */
export const changeThenObject =
  (validate: Validate, change: ValidateChange): ValidateChange =>
  (next, old, subresource) => [
    ...metadataChangeErrors(next, old, false),
    ...change(next, old, subresource),
    ...(isWhole(subresource) ? [...metadataErrors(next), ...validate(next, old)] : []),
  ];

/** Validates the status before the changed metadata, and other endpoints after it. */
export const statusThenChange =
  (validate: ValidateChange): ValidateChange =>
  (next, old, subresource) => {
    const [own, ofMetadata] = [validate(next, old, subresource), metadataChangeErrors(next, old, false)];
    return subresource === 'status' ? [...own, ...ofMetadata] : [...ofMetadata, ...own];
  };

/** Validates only updates of the main endpoint: the changed metadata, then the object. */
export const changeThenMain =
  (validate: ValidateChange): ValidateChange =>
  (next, old, subresource) =>
    isWhole(subresource) ? [...metadataChangeErrors(next, old, false), ...validate(next, old, subresource)] : [];

/** Validates the object as on creation, once or several times; changed metadata is not validated. */
export const objectAlone =
  (validations: readonly Validate[], change: ValidateChange): ValidateChange =>
  (next, old, subresource) => {
    if (!isWhole(subresource)) return objectThenChange(none, change)(next, old, subresource);
    const errors = validations.flatMap((validate) => [...metadataErrors(next), ...validate(next, old)]);
    return [...errors, ...change(next, old, subresource)];
  };

/** Validates the object as on creation, on every endpoint; changed metadata is not validated. */
export const objectEverywhere =
  (validate: Validate, change: ValidateChange): ValidateChange =>
  (next, old, subresource) => [...metadataErrors(next), ...validate(next, old), ...change(next, old, subresource)];
