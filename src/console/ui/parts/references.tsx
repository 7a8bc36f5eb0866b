import type { ObjectRefWire } from '../../wire.js';
import { hrefOf } from '../router.js';

/** Returns the name of a kind without its group. */
export function kindName(id: string): string {
  return id.split('.', 1)[0] ?? id;
}

/** Returns the namespace and the name of an object, or its name for one of cluster scope. */
export function objectName({ namespace, name }: { readonly namespace?: string; readonly name: string }): string {
  return namespace ? `${namespace}/${name}` : name;
}

/** Links to an object; one without a uid is only named. */
export function ObjectLink({ object }: { readonly object: ObjectRefWire }) {
  const text = `${kindName(object.kind)} ${objectName(object)}${object.cluster ? ` (${object.cluster})` : ''}`;
  return object.uid ? <a href={hrefOf('objects', object.uid)}>{text}</a> : <span>{text}</span>;
}
