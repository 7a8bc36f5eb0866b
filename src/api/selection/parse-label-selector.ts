import type { LabelSelector, LabelSelectorRequirement } from './label-selector.js';

/** `key`, `!key`, `key=value`, `key==value`, `key!=value`, `key in (a,b)` or `key notin (a,b)`. */
const REQUIREMENT =
  /^\s*(?:!\s*(?<absent>[^\s!=,()<>]+)|(?<key>[^\s!=,()<>]+)\s*(?:(?<sign>==|=|!=)\s*(?<value>[^\s!=,()<>]*)|\s(?<set>in|notin)\s*\((?<list>[^()]*)\))?)\s*$/;

/** Parses the API's labelSelector parameter; undefined if it is invalid or compares numbers (`key>1`). */
export function parseLabelSelector(text: string): LabelSelector | undefined {
  if (text.trim() === '') return {};
  const matchExpressions: LabelSelectorRequirement[] = [];
  for (const term of text.split(/,(?![^(]*\))/)) {
    const requirement = parseRequirement(term);
    if (!requirement) return undefined;
    matchExpressions.push(requirement);
  }
  return { matchExpressions };
}

function parseRequirement(term: string): LabelSelectorRequirement | undefined {
  const match = REQUIREMENT.exec(term)?.groups as Readonly<Record<string, string | undefined>> | undefined;
  return match && requirementOf(match);
}

function requirementOf(match: Readonly<Record<string, string | undefined>>): LabelSelectorRequirement {
  const { absent, key = '', sign, value = '', set, list = '' } = match;
  if (absent !== undefined) return { key: absent, operator: 'DoesNotExist' };
  if (sign !== undefined) return { key, operator: sign === '!=' ? 'NotIn' : 'In', values: [value] };
  if (set === undefined) return { key, operator: 'Exists' };
  return { key, operator: set === 'in' ? 'In' : 'NotIn', values: list.split(',').map((each) => each.trim()) };
}
