import type { Verb } from '../../api/access/policy-rule.js';
import { isAbout } from '../../api/access/rule-covers.js';
import type { RecordedAccess } from '../../client/access/access-record.js';
import { isCheckedWithin, READ, type GrantedRule } from '../../manifests/access/granted-rules.js';

/** The verbs that a rule grants on one resource, by whether they occurred. */
export interface ResourceUse {
  readonly group: string;
  readonly resource: string;
  readonly url: string | undefined;
  readonly used: readonly Verb[];
  readonly unused: readonly Verb[];
}

/** The state of each permission of a rule. */
export function usesOf(granted: GrantedRule, recorded: readonly RecordedAccess[]): ResourceUse[] {
  if (isCheckedWithin(granted)) return [];
  const { apiGroups, resources, nonResourceURLs = [], verbs } = granted.rule;
  const targets = [
    ...apiGroups.flatMap((group) => resources.map((resource) => ({ group, resource, url: undefined }))),
    ...nonResourceURLs.map((url) => ({ group: '', resource: '', url })),
  ];
  return targets.map(({ group, resource, url }) => {
    const single =
      url === undefined
        ? { apiGroups: [group], resources: [resource] }
        : { apiGroups: [], resources: [], nonResourceURLs: [url] };
    const occurred = recorded.filter((access) => isAbout(single, access));
    const isUsed = (verb: Verb): boolean =>
      occurred.some((access) => verb === '*' || verbsOfUse(granted, verb).includes(access.verb));
    const used = verbs.filter(isUsed);
    return { group, resource, url, used, unused: verbs.filter((verb) => !used.includes(verb)) };
  });
}

/**
 * Returns the verbs that count as a use of `verb`. A watch also lists when it restarts, and single objects are read to
 * get their current state; neither happens in every run.
 */
function verbsOfUse({ origin }: GrantedRule, verb: Verb): readonly string[] {
  const together = origin.decorator === 'Rbac' ? READ.filter((read) => read !== 'get') : READ;
  return together.includes(verb) ? together : [verb];
}
