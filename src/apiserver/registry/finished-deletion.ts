import type { Metadata } from '../objects/api-object.js';

interface Deletion extends Pick<Metadata, 'deletionTimestamp' | 'deletionGracePeriodSeconds'> {
  readonly finalizers?: readonly string[] | undefined;
}

/** Whether a deletion that began has nothing left to wait for. */
export function isFinished({ finalizers = [], deletionTimestamp, deletionGracePeriodSeconds = 0 }: Deletion): boolean {
  return deletionTimestamp !== undefined && finalizers.length === 0 && deletionGracePeriodSeconds === 0;
}
