import type { ResourceModel } from '../../resource/model.js';
import { BUILT_IN_NAMES } from './built-in-names.js';

/** The names of a kind that kubectl takes for a resource of Kubernetes itself, as warnings. */
export function shadowedNames({ className, kind, singular, shortNames }: ResourceModel): string[] {
  const names = new Set([kind.plural, singular, ...shortNames]);
  return [...names].flatMap((name) => {
    const taken = Object.entries(BUILT_IN_NAMES).find(
      ([resource, others]) => resource.split('.')[0] === name || others.includes(name),
    );
    if (!taken) return [];
    return [`${className}: kubectl takes '${name}' for ${taken[0]}; this kind is ${kind.plural}.${kind.group} to it`];
  });
}
