import type { KubeObject } from '../../api/objects/kube-object.js';
import type { ObjectText } from '../plan/plan.js';
import type { ObjectRef } from './history.js';

/**
 * Spells objects as plans do: `Kind namespace/name`, with `*` for the part of a name that the server generated.
 * Names are learned from the objects that are created.
 */
export class ObjectTexts {
  private readonly generated = new Map<string, string>();

  /** Learns the generated name of an object. */
  learn(ref: ObjectRef, { metadata }: KubeObject): void {
    const { generateName, name } = metadata as { readonly generateName?: string; readonly name: string };
    if (generateName !== undefined && generateName !== '' && name.startsWith(generateName))
      this.generated.set(placeOf(ref), `${generateName}*`);
  }

  of(ref: Omit<ObjectRef, 'name'> & { readonly name?: string | undefined }): ObjectText {
    const { kind, namespace, name } = ref;
    if (name === undefined || name === '') return namespace === undefined ? kind : `${kind} ${namespace}/`;
    const spelled = this.generated.get(placeOf({ ...ref, name })) ?? name;
    return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${spelled}`;
  }
}

function placeOf({ group, plural, namespace = '', name }: ObjectRef): string {
  return `${group}/${plural}/${namespace}/${name}`;
}
