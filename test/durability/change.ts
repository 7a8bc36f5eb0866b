import type { ApiCall } from '../fidelity/api-endpoint.js';
import type { Chooser } from '../fidelity/chooser.js';
import type { LoadedKind, StoredJson } from './loaded-kind.js';

/** The part of an object that a write sets. */
export interface Outcome {
  readonly members: Readonly<Record<string, unknown>>;
  readonly isTerminating: boolean;
}

/** One write and its effect on the existing object. */
export interface Change {
  readonly call: ApiCall;
  expected(before: StoredJson | undefined): Outcome | 'gone' | 'refused';
}

const FINALIZER = 'durability.example.com/hold';

export function outcomeOf(object: StoredJson): Outcome {
  const { metadata, ...members } = object;
  const { labels, finalizers, deletionTimestamp } = metadata;
  return {
    members: { ...members, ...(labels && { labels }), ...(finalizers && { finalizers }) },
    isTerminating: deletionTimestamp !== undefined,
  };
}

/** A random write to the object of this name, one that the server takes in the state the object is in. */
export function randomChange(
  kind: LoadedKind,
  name: string,
  present: StoredJson | undefined,
  serial: number,
  chooser: Chooser,
): Change {
  if (!present) return create(kind, name, serial, chooser, chooser.chance(0.3) ? [FINALIZER] : []);
  if (present.metadata.deletionTimestamp !== undefined && chooser.chance(0.5)) return release(kind, name);
  const isDeleted = present.metadata.deletionTimestamp === undefined && chooser.chance(0.25);
  if (isDeleted) return remove(kind, name);
  if (kind.status && chooser.chance(0.4)) return writeStatus(kind, name, kind.status(serial));
  return write(kind, present, serial, chooser);
}

/** A write that the server refuses unless the object is still at the version given. */
export function replaceVersion(kind: LoadedKind, present: StoredJson, serial: number, chooser: Chooser): Change {
  const body = draft(kind, present.metadata.name, serial, chooser);
  const { resourceVersion, finalizers } = present.metadata;
  const metadata = { ...body.metadata, resourceVersion, ...(finalizers && { finalizers }) };
  const call = { method: 'PUT', path: `${kind.path}/${present.metadata.name}`, body: { ...body, metadata } };
  const isAtVersion = (before: StoredJson | undefined): boolean => before?.metadata.resourceVersion === resourceVersion;
  return { call, expected: (before) => (isAtVersion(before) ? merged(before, body) : 'refused') };
}

export function create(
  kind: LoadedKind,
  name: string,
  serial: number,
  chooser: Chooser,
  finalizers: readonly string[] = [],
): Change {
  const body = draft(kind, name, serial, chooser);
  const metadata = { ...body.metadata, ...(finalizers.length > 0 && { finalizers }) };
  const made = { ...body, metadata } as unknown as StoredJson;
  const initial = kind.initialStatus && { status: kind.initialStatus };
  return {
    call: { method: 'POST', path: kind.path, body: made },
    expected: (before) => (before ? 'refused' : outcomeOf({ ...initial, ...made })),
  };
}

function write(kind: LoadedKind, present: StoredJson, serial: number, chooser: Chooser): Change {
  const { name } = present.metadata;
  const body = draft(kind, name, serial, chooser);
  const path = `${kind.path}/${name}`;
  const expected: Change['expected'] = (before) => merged(before, body);
  switch (chooser.pick(['replace', 'merge', 'apply'])) {
    case 'replace':
      return replaceVersion(kind, present, serial, chooser);
    case 'merge':
      return { call: { method: 'PATCH', path, body, contentType: 'application/merge-patch+json' }, expected };
    default: {
      const query = 'fieldManager=durability&force=true';
      const contentType = 'application/apply-patch+yaml';
      return { call: { method: 'PATCH', path: `${path}?${query}`, body, contentType }, expected };
    }
  }
}

function writeStatus(kind: LoadedKind, name: string, written: Readonly<Record<string, unknown>>): Change {
  const body = { status: written };
  const contentType = 'application/merge-patch+json';
  return {
    call: { method: 'PATCH', path: `${kind.path}/${name}/status`, body, contentType },
    expected: (before) => {
      if (!before) return 'refused';
      const status = { ...(before.status as object | undefined), ...written };
      return outcomeOf({ ...before, status });
    },
  };
}

function remove(kind: LoadedKind, name: string): Change {
  return {
    call: { method: 'DELETE', path: `${kind.path}/${name}` },
    expected: (before) => {
      if (!before) return 'refused';
      if (!before.metadata.finalizers?.length) return 'gone';
      return { ...outcomeOf(before), isTerminating: true };
    },
  };
}

function release(kind: LoadedKind, name: string): Change {
  const body = { metadata: { finalizers: null } };
  const contentType = 'application/merge-patch+json';
  return {
    call: { method: 'PATCH', path: `${kind.path}/${name}`, body, contentType },
    expected: (before) => (before ? 'gone' : 'refused'),
  };
}

function draft(kind: LoadedKind, name: string, serial: number, chooser: Chooser) {
  const { apiVersion, kind: kindName } = kind;
  const metadata = { name, labels: { serial: String(serial) } };
  return { apiVersion, kind: kindName, metadata, ...kind.content(serial, chooser) };
}

/** A draft has every member that its kind's objects have, but for those of the server and the status. */
function merged(before: StoredJson | undefined, body: ReturnType<typeof draft>): Outcome | 'refused' {
  if (!before) return 'refused';
  return outcomeOf({ ...before, ...body, metadata: { ...before.metadata, ...body.metadata } });
}
