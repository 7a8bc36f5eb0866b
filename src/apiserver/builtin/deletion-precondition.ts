import { conflict } from '../errors/status-error.js';
import type { ApiObject } from '../objects/api-object.js';
import type { Strategy } from '../resources/resource.js';

/** Returns a check of deletion preconditions, with the message of kinds that check them first. */
export function deletionPrecondition(group: string, plural: string): NonNullable<Strategy['assertDeletion']> {
  return ({ metadata }: ApiObject, { uid, resourceVersion }) => {
    const { name, uid: present = '', resourceVersion: version = '' } = metadata;
    const unmet =
      uid !== undefined && uid !== present
        ? `UID in precondition: ${uid}, UID in object meta: ${present}`
        : resourceVersion !== undefined && resourceVersion !== version
          ? `ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${version}`
          : undefined;
    if (unmet !== undefined) throw conflict({ group, plural }, name, `Precondition failed: ${unmet}`);
  };
}
