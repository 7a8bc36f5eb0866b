import type { FieldError } from '../../api/field-error.js';
import { dnsSubdomainErrors } from '../../api/names.js';
import type { ApiObject } from '../objects/api-object.js';
import { standardFinalizerErrors, validateObjectMeta, validateObjectMetaUpdate } from './fields/object-meta.js';

type Validate = (object: ApiObject, old?: ApiObject) => FieldError[];
type ValidateChange = (next: ApiObject, old: ApiObject, subresource: string) => FieldError[];

const none = (): FieldError[] => [];

/** How kinds differ in what they ask of metadata. */
interface MetadataRules {
  readonly allowsAnyFinalizer?: boolean;
  /** Default: those of a DNS subdomain. */
  readonly nameErrors?: (name: string) => string[];
}

/** Problems of the metadata of an object that exists: its name has been checked, but not what it would be made of. */
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

/** An update whose object is validated first, as a new one is, and then what of it changed. */
export const objectThenChange =
  (validate: Validate, change: ValidateChange = none, rules: MetadataRules = {}): ValidateChange =>
  (next, old, subresource) => [
    ...(isWhole(subresource) ? [...metadataErrors(next, rules), ...validate(next, old)] : []),
    ...metadataChangeErrors(next, old, rules.allowsAnyFinalizer === true),
    ...change(next, old, subresource),
  ];

/** An update of which is validated first what changed, and then the object, as a new one is. */
export const changeThenObject =
  (validate: Validate, change: ValidateChange): ValidateChange =>
  (next, old, subresource) => [
    ...metadataChangeErrors(next, old, false),
    ...change(next, old, subresource),
    ...(isWhole(subresource) ? [...metadataErrors(next), ...validate(next, old)] : []),
  ];

/** An update of which the status is validated before what changed of its metadata, anything else after it. */
export const statusThenChange =
  (validate: ValidateChange): ValidateChange =>
  (next, old, subresource) => {
    const [own, ofMetadata] = [validate(next, old, subresource), metadataChangeErrors(next, old, false)];
    return subresource === 'status' ? [...own, ...ofMetadata] : [...ofMetadata, ...own];
  };

/** An update that is validated through the main endpoint alone: what changed of its metadata, then the object. */
export const changeThenMain =
  (validate: ValidateChange): ValidateChange =>
  (next, old, subresource) =>
    isWhole(subresource) ? [...metadataChangeErrors(next, old, false), ...validate(next, old, subresource)] : [];

/** An update that is validated as a new object, once or more; of its metadata no change is looked at. */
export const objectAlone =
  (validations: readonly Validate[], change: ValidateChange): ValidateChange =>
  (next, old, subresource) => {
    if (!isWhole(subresource)) return objectThenChange(none, change)(next, old, subresource);
    const errors = validations.flatMap((validate) => [...metadataErrors(next), ...validate(next, old)]);
    return [...errors, ...change(next, old, subresource)];
  };

/** An update that is validated as a new object, through whichever endpoint; of its metadata no change is looked at. */
export const objectEverywhere =
  (validate: Validate, change: ValidateChange): ValidateChange =>
  (next, old, subresource) => [...metadataErrors(next), ...validate(next, old), ...change(next, old, subresource)];
