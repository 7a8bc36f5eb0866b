import { OperatorError } from '../../base/operator-error.js';

/** metav1.LabelSelectorRequirement. */
export interface LabelSelectorRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values?: readonly string[];
}

/** metav1.LabelSelector. An empty one matches everything. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}

type Labels = Readonly<Record<string, string>> | undefined;

/** Returns whether labels satisfy every requirement of the selector. */
export function matchesSelector(selector: LabelSelector, labels: Labels): boolean {
  for (const key of Object.keys(selector.matchLabels ?? {})) {
    if (labels?.[key] !== selector.matchLabels?.[key]) return false;
  }
  return (selector.matchExpressions ?? []).every((requirement) => matchesRequirement(requirement, labels));
}

function matchesRequirement({ key, operator, values = [] }: LabelSelectorRequirement, labels: Labels): boolean {
  const value = labels && Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      throw new OperatorError(`unknown label selector operator ${String(operator)}`, {
        code: 'E_SELECTOR',
        hint: 'use In, NotIn, Exists or DoesNotExist',
      });
  }
}

/** Formats a selector for the API's labelSelector parameter. */
export function formatSelector(selector: LabelSelector): string {
  const equal = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
  const rest = (selector.matchExpressions ?? []).map(({ key, operator, values = [] }) => {
    switch (operator) {
      case 'In':
        return `${key} in (${values.join(',')})`;
      case 'NotIn':
        return `${key} notin (${values.join(',')})`;
      case 'Exists':
        return key;
      case 'DoesNotExist':
        return `!${key}`;
    }
  });
  return [...equal, ...rest].join(',');
}
