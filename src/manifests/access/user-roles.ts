import type { Verb } from '../../api/access/policy-rule.js';
import { byKind } from '../../resource/kinds/versions.js';
import type { ResourceModel } from '../../resource/model.js';
import { READ, resourceRule } from './granted-rules.js';
import { mergedRules } from './merged-rules.js';
import type { Operator } from '../operator.js';
import type { OperatorRole } from './operator-roles.js';

/** The verbs of users on objects of a kind, by kubebuilder's name of the role. */
const VERBS: Readonly<Record<string, readonly Verb[]>> = {
  admin: ['*'],
  editor: [...READ, 'create', 'update', 'patch', 'delete'],
  viewer: READ,
};

/**
 * The roles for users, three for each kind; they have no effect until they are bound.
 *
 * As in kubebuilder they are not aggregated to Kubernetes' own admin, edit and view, which would grant them to all
 * users with these roles; the cluster administrator decides on that.
 */
export function userRoles({ name, models }: Pick<Operator, 'name' | 'models'>): OperatorRole[] {
  const kinds = byKind(models);
  return kinds.flatMap((versions) =>
    Object.entries(VERBS).map(([role, verbs]) => ({
      name: `${name}-${roleKind(versions, kinds)}-${role}-role`,
      namespace: undefined,
      rules: mergedRules(versions.flatMap((version) => rules(version, verbs))),
    })),
  );
}

/** The kind in lowercase; the plural with its group where an operator has two kinds of the name. */
function roleKind([version]: readonly ResourceModel[], kinds: readonly (readonly ResourceModel[])[]): string {
  const { group = '', kind = '', plural = '' } = version?.kind ?? {};
  const isOnly = kinds.filter(([other]) => other?.kind.kind === kind).length === 1;
  return isOnly ? kind.toLowerCase() : `${plural}.${group}`;
}

function rules({ kind, hasStatus }: ResourceModel, verbs: readonly Verb[]) {
  return [resourceRule(kind, '', verbs), ...(hasStatus ? [resourceRule(kind, '/status', ['get'])] : [])];
}
