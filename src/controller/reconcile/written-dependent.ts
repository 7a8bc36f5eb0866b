import type { KubeObject } from '../../api/objects/kube-object.js';

/** Why an object is not as it should be, although nothing has failed. */
export interface DependentWait {
  readonly why: string;
  /** True if nothing reports the end of the wait. */
  readonly isPolled?: boolean;
}

/** An object of a `@Dependent` method as the server has it; without one, what is waited for. */
export interface WrittenDependent {
  readonly live?: KubeObject;
  readonly wait?: DependentWait;
}
