import { deepEqual } from '../../base/deep-equal.js';
import type { KubeObject, ReadonlyDeep, UnstructuredObject } from '../objects/kube-object.js';
import type { ObjectEvent } from './object-event.js';

/** Decides whether an event reaches the queue. Adds and deletes pass every built-in predicate. */
export type Predicate<T extends KubeObject = KubeObject> = (event: ObjectEvent<T>) => boolean;

/** Passes updates that change `metadata.generation`: changes of the spec, not of the status; and every correction. */
export const generationChanged: Predicate = (event) =>
  event.type !== 'update' ||
  event.isCorrection === true ||
  event.object.metadata.generation !== event.old.metadata.generation;

/** Passes updates that change the labels. */
export const labelsChanged: Predicate = (event) =>
  event.type !== 'update' || !deepEqual(event.object.metadata.labels, event.old.metadata.labels);

/** Passes updates that change the annotations. */
export const annotationsChanged: Predicate = (event) =>
  event.type !== 'update' || !deepEqual(event.object.metadata.annotations, event.old.metadata.annotations);

/** Passes changes of the spec; for kinds without `metadata.generation`, such as Node. */
export const specChanged: Predicate = (event) => event.type !== 'update' || hasChanged(event, 'spec');

/** Passes updates that change the status. */
export const statusChanged: Predicate = (event) => event.type !== 'update' || hasChanged(event, 'status');

/** Passes the start of a deletion. */
export const deletionChanged: Predicate = (event) =>
  event.type !== 'update' || event.object.metadata.deletionTimestamp !== event.old.metadata.deletionTimestamp;

/** Passes updates that change the finalizers. */
export const finalizersChanged: Predicate = (event) =>
  event.type !== 'update' || !deepEqual(event.object.metadata.finalizers, event.old.metadata.finalizers);

/** Passes updates with a new resourceVersion, and every correction; replayed events keep the old one. */
export const resourceVersionChanged: Predicate = (event) =>
  event.type !== 'update' ||
  event.isCorrection === true ||
  event.object.metadata.resourceVersion !== event.old.metadata.resourceVersion;

/** Passes the events that at least one of the predicates passes. */
export function anyOf<T extends KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (event) => predicates.some((predicate) => predicate(event));
}

/** Passes the events that all of the predicates pass. */
export function allOf<T extends KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (event) => predicates.every((predicate) => predicate(event));
}

/**
 * Passes the updates that `predicate` does not pass, and all adds and deletes, which no built-in predicate keeps back:
 * `allOf(ownChange, not(labelsChanged))`.
 */
export function not<T extends KubeObject>(predicate: Predicate<T>): Predicate<T> {
  return (event) => event.type !== 'update' || !predicate(event);
}

/**
 * The default for a controller's own kind: all events except status writes, which the controller itself makes.
 *
 * After a restore of etcd, another spec can have the generation of the one that was lost.
 */
export const ownChange: Predicate = anyOf(
  generationChanged,
  labelsChanged,
  annotationsChanged,
  deletionChanged,
  finalizersChanged,
  specChanged,
);

function hasChanged(
  { object, old }: { readonly object: ReadonlyDeep<KubeObject>; readonly old: ReadonlyDeep<KubeObject> },
  member: string,
): boolean {
  return !deepEqual((object as UnstructuredObject)[member], (old as UnstructuredObject)[member]);
}
