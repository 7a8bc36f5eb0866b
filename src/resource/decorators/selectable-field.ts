import { appendMetadata, assertCalled, classOfMember, metadataKey, prependMetadata } from '../metadata.js';

/** A path for field selectors, or the property that it leads to. */
export interface SelectableFieldEntry {
  readonly jsonPath?: string;
  readonly property?: string;
}

export const SELECTABLE_FIELD = metadataKey<SelectableFieldEntry>('selectableField');

/**
 * Lets clients select objects by a field, as in `kubectl get --field-selector spec.zone=a`.
 *
 * On a property it takes no path; on the class of a kind it takes one, such as `.spec.zone`.
 */
export function SelectableField(): (target: object, property: string) => void;
export function SelectableField(jsonPath: string): (target: abstract new (...args: never[]) => object) => void;
export function SelectableField(jsonPath?: string): (target: object, property?: string) => void {
  assertCalled(SELECTABLE_FIELD, jsonPath);
  return (target, property) => {
    const entry = { ...(property !== undefined && { property }), ...(jsonPath !== undefined && { jsonPath }) };
    if (property === undefined) prependMetadata(SELECTABLE_FIELD, target, entry);
    else appendMetadata(SELECTABLE_FIELD, classOfMember(SELECTABLE_FIELD, target, property), entry);
  };
}
