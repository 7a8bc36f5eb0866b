import type { Desired, KubeObject } from './kube-object.js';

/**
 * The object of a class as the API server returns it: dates are strings, nested classes are plain objects without
 * methods, and the status is absent before its first write.
 *
 * Only `this`, `review.old` and the argument of static webhook methods are instances of the class. Every other object
 * is this JSON, which all readers of the cache share.
 */
export type StoredObject<T extends KubeObject> = Fields<T, string> & KubeObject;

/** `StoredObject` of a class; objects of other types are JSON already. */
export type StoredOf<T> = T extends Reconciled ? StoredObject<T> : T;

/** The object of a class to write: an instance, or JSON; each date is a Date or a string. */
export type WritableObject<T extends KubeObject> = Fields<T, Date | string> & KubeObject;

/** `WritableObject` of a class; objects of other types are JSON already. */
export type WritableOf<T> = T extends Reconciled ? WritableObject<T> : T;

/** A `WritableOf` to create or apply. */
export type DesiredOf<T extends KubeObject> = Desired<WritableOf<T> & KubeObject>;

/** Every class with `@Kind`, in contrast to the types of objects. */
interface Reconciled extends KubeObject {
  reconcile(...args: never[]): unknown;
}

/** The fields of a class, with `D` in place of Date. */
type Fields<T extends KubeObject, D> = {
  [P in keyof T as P extends keyof KubeObject | 'status' ? never : FieldName<T, P>]: Plain<T[P], D>;
} & ('status' extends keyof T ? { status?: Plain<T['status'], D> } : unknown);

/** Excludes methods. */
type FieldName<T, P extends keyof T> = T[P] extends (...args: never[]) => unknown ? never : P;

/** A property's value without methods, and with `D` in place of Date. */
type Plain<V, D> = 0 extends 1 & V // any
  ? V
  : V extends Date
    ? D
    : V extends readonly unknown[]
      ? { [I in keyof V]: Plain<V[I], D> }
      : V extends object
        ? { [P in keyof V as FieldName<V, P>]: Plain<V[P], D> }
        : V;
