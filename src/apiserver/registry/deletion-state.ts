import { arrayAt, type ApiObject, type Metadata } from '../objects/api-object.js';

interface Deletion extends Pick<Metadata, 'deletionTimestamp' | 'deletionGracePeriodSeconds'> {
  readonly finalizers?: readonly string[] | undefined;
}

/** Reports whether a deletion has begun and is waiting for neither finalizers nor its grace period. */
export function isFinished({ finalizers = [], deletionTimestamp, deletionGracePeriodSeconds = 0 }: Deletion): boolean {
  return deletionTimestamp !== undefined && finalizers.length === 0 && deletionGracePeriodSeconds === 0;
}

/** Reports whether a namespace has finalizers in its spec, i.e. its contents are not deleted yet. */
export function hasNamespaceFinalizers({ spec }: ApiObject): boolean {
  return arrayAt(spec, 'finalizers').length > 0;
}
