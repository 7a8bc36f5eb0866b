import { arrayAt, type ApiObject } from '../objects/api-object.js';

/** Whether a namespace still waits for its contents to go. */
export function hasNamespaceFinalizers({ spec }: ApiObject): boolean {
  return arrayAt(spec, 'finalizers').length > 0;
}
