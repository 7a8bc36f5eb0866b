import type { ObjectKey } from '../../api/objects/object-key.js';

/** The objects that this process reconciles, of those that several processes share. */
export interface ObjectGate {
  /** False while no reconcile may begin, because other processes may take over. */
  readonly isOpen: boolean;
  /** Returns true if this process reconciles the object, also while the gate is closed. */
  readonly owns: (key: ObjectKey) => boolean;
}
