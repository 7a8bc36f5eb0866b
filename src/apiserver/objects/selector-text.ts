import { isJsonObject } from './api-object.js';

/** Formats a label selector as in Scale.status.selector: a sorted query string. */
export function selectorText(selector: unknown): string {
  if (!isJsonObject(selector)) return '';
  const { matchLabels, matchExpressions } = selector;
  const isPlainMap = matchLabels === undefined && matchExpressions === undefined;
  const equal = Object.entries(isPlainMap ? selector : isJsonObject(matchLabels) ? matchLabels : {});
  const terms = equal.map(([key, value]) => ({ key, text: `${key}=${String(value)}` }));
  for (const expression of Array.isArray(matchExpressions) ? (matchExpressions as Expression[]) : []) {
    terms.push({ key: expression.key, text: expressionText(expression) });
  }
  return terms
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ text }) => text)
    .join(',');
}

interface Expression {
  key: string;
  operator: string;
  values?: string[];
}

function expressionText({ key, operator, values = [] }: Expression): string {
  const list = [...values].sort().join(',');
  switch (operator) {
    case 'In':
      return `${key} in (${list})`;
    case 'NotIn':
      return `${key} notin (${list})`;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return key;
  }
}
