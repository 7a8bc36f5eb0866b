import type { ClassModel } from '../fields/value-model.js';
import type { Diagnostics } from '../diagnostics.js';

/** The keywords of allowedFieldsAtRootSchema in apiextensions that a class can have. */
const ALLOWED: readonly string[] = [
  'title',
  'example',
  'externalDocs',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
];

/** Adds diagnostics for rules on the whole object that a kind with a status subresource must not have. */
export function collectRootRules({ target, rules }: ClassModel, diagnostics: Diagnostics): void {
  for (const keyword of Object.keys(rules).filter((name) => !ALLOWED.includes(name)))
    diagnostics.add(
      { target, decorator: { target, name: 'Schema', index: 0 } },
      `@Schema: ${keyword} is not allowed for a kind with a status subresource`,
      `@Schema({ ${keyword} }) on the class of spec, or @XValidation({ rule: '…' })`,
    );
}
