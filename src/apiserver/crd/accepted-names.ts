import { goQuoted } from '../../base/go-quoted.js';
import { arrayAt, objectAt, stringAt, type ApiObject, type JsonObject } from '../objects/api-object.js';

/** The accepted names of a definition, and the conflict if not all of them were accepted. */
export interface AcceptedNames {
  readonly names: JsonObject;
  readonly conflict?: { readonly reason: string; readonly message: string };
}

type Conflict = NonNullable<AcceptedNames['conflict']>;

/**
 * Accepts the names of a definition that no other definition of its group has: the naming controller of
 * apiextensions-apiserver.
 */
export function acceptNames(definition: ApiObject, all: readonly ApiObject[]): AcceptedNames {
  const group = stringAt(definition.spec, 'group');
  const taken = all.filter(({ spec }) => stringAt(spec, 'group') === group).map(acceptedOf);
  const plurals = new Set(
    taken.flatMap((names) => [stringAt(names, 'plural'), stringAt(names, 'singular'), ...arrayAt(names, 'shortNames')]),
  );
  const kinds = new Set(taken.flatMap((names) => [stringAt(names, 'kind'), stringAt(names, 'listKind')]));
  const wanted = objectAt(definition.spec, 'names');
  const accepted = acceptedOf(definition);
  const names: JsonObject = { ...accepted };
  const conflicts: Conflict[] = [];
  const claim = (
    key: string,
    used: ReadonlySet<unknown>,
    own: readonly unknown[],
    values: readonly unknown[],
  ): void => {
    const inUse = values.filter((value) => !own.includes(value) && used.has(value));
    if (inUse.length === 0) names[key] = wanted[key];
    else conflicts.push({ reason: `${key.charAt(0).toUpperCase()}${key.slice(1)}Conflict`, message: inUseText(inUse) });
  };
  for (const key of ['plural', 'singular']) claim(key, plurals, [accepted[key]], [wanted[key]]);
  claim('shortNames', plurals, arrayAt(accepted, 'shortNames'), arrayAt(wanted, 'shortNames'));
  for (const key of ['kind', 'listKind']) claim(key, kinds, [accepted[key]], [wanted[key]]);
  names.categories = wanted.categories;
  const conflict = conflicts.at(-1);
  return { names: withoutNothing(names), ...(conflict && { conflict }) };
}

/** Returns the accepted names of a definition. */
export function acceptedOf({ status }: ApiObject): JsonObject {
  return objectAt(status, 'acceptedNames');
}

function inUseText(values: readonly unknown[]): string {
  const texts = values.map((value) => `${goQuoted(String(value))} is already in use`);
  return texts.length === 1 ? texts.join() : `[${texts.join(', ')}]`;
}

/** Omits empty names; plural and kind are always set. */
function withoutNothing(names: JsonObject): JsonObject {
  const present = Object.entries(names).filter(([, value]) => value !== undefined);
  return { plural: '', kind: '', ...Object.fromEntries(present) };
}
