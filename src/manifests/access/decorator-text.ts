import type { RuleOrigin } from './granted-rules.js';

/** The text of a decorator in messages: `@Owns(Deployment)`. */
export function decoratorText({ model, decorator, index }: RuleOrigin): string {
  const { owns, watches, dependents, rules } = model;
  const about = {
    Owns: owns,
    Watches: watches,
    Dependent: dependents,
    Kind: [],
    Controller: [],
    Finalizer: [],
    Rbac: rules,
  }[decorator][index];
  if (!about) return `@${decorator}`;
  if ('kind' in about) return `@${decorator}(${about.kind.kind})`;
  const { resources, nonResourceURLs = [] } = about.rule;
  return `@${decorator}(${[...resources, ...nonResourceURLs].join(', ')})`;
}
