import { kindLocation } from '../../resource/kinds/kind-location.js';
import { located } from '../../resource/location.js';
import type { ResourceModel } from '../../resource/model.js';
import { BUILT_IN_NAMES } from './built-in-names.js';

/** Warnings about names of a kind that kubectl resolves to a built-in resource. */
export function shadowedNames({ target, kind, singular, shortNames }: ResourceModel): string[] {
  const names = new Set([kind.plural, singular, ...shortNames]);
  return [...names].flatMap((name) => {
    const taken = Object.entries(BUILT_IN_NAMES).find(
      ([resource, others]) => resource.split('.')[0] === name || others.includes(name),
    );
    if (!taken) return [];
    const problem = `kubectl resolves '${name}' to ${taken[0]}; use ${kind.plural}.${kind.group} for this kind`;
    return [located(kindLocation(target), problem)];
  });
}
