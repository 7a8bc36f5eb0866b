import type { ClassModel } from '../fields/value-model.js';
import type { Diagnostics } from '../diagnostics.js';

/** allowedFieldsAtRootSchema in apiextensions, as far as a class can have them. */
const ALLOWED: readonly string[] = [
  'title',
  'example',
  'externalDocs',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
];

/** Checks what the class of a kind with a status subresource says of the whole object. */
export function checkRootRules({ target, rules }: ClassModel, diagnostics: Diagnostics): void {
  for (const keyword of Object.keys(rules).filter((name) => !ALLOWED.includes(name)))
    diagnostics.add(
      { target, decorator: { target, name: 'Schema', index: 0 } },
      `@Schema: the API server takes no ${keyword} for a kind that has a status`,
      `@Schema({ ${keyword} }) on the class of spec, or @XValidation({ rule: '…' })`,
    );
}
