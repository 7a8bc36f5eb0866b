import type { Diagnostics } from '../../resource/diagnostics.js';
import { RBAC } from '../../resource/decorators/rbac.js';
import { located } from '../../resource/location.js';
import { decoratorUse } from '../../resource/metadata.js';
import type { ResourceModel } from '../../resource/model.js';
import { BUILT_IN_NAMES } from './built-in-names.js';

/** Adds diagnostics for singular and short names in `@Rbac`, which grant nothing, and warns about unknown resources. */
export function collectRuleResources(
  { target, rules }: ResourceModel,
  diagnostics: Diagnostics,
  warn?: (message: string) => void,
): void {
  for (const [index, { rule }] of rules.entries()) {
    const location = { target, decorator: decoratorUse(RBAC, target, index) };
    for (const group of rule.apiGroups.filter(isBuiltIn))
      for (const resource of rule.resources) {
        const [name = '', ...subresource] = resource.split('/');
        if (name === '*' || Object.hasOwn(BUILT_IN_NAMES, qualified(name, group))) continue;
        const shown = `@Rbac(${rule.resources.join(', ')})`;
        const plural = pluralOf(name, group);
        if (plural === undefined)
          warn?.(located(location, `${shown}: Kubernetes 1.36 has no resource ${qualified(name, group)}`));
        else
          diagnostics.add(
            location,
            `${shown}: permissions use plural resource names, and '${name}' is another name of ${plural}`,
            `'${[plural, ...subresource].join('/')}'`,
          );
      }
  }
}

function qualified(name: string, group: string): string {
  return group === '' ? name : `${name}.${group}`;
}

/** The resources of a group, each with its other names. */
function resourcesOf(group: string): (readonly [plural: string, others: readonly string[]])[] {
  return Object.entries(BUILT_IN_NAMES).flatMap(([resource, others]) => {
    const [plural = '', ...rest] = resource.split('.');
    return rest.join('.') === group ? [[plural, others] as const] : [];
  });
}

function isBuiltIn(group: string): boolean {
  return resourcesOf(group).length > 0;
}

function pluralOf(name: string, group: string): string | undefined {
  return resourcesOf(group).find(([, others]) => others.includes(name))?.[0];
}
