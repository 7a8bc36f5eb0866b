import type { ClassModel } from '../fields/value-model.js';
import type { Mistakes } from '../mistakes.js';

/** allowedFieldsAtRootSchema in apiextensions, as far as a class can have them. */
const ALLOWED: readonly string[] = [
  'title',
  'example',
  'externalDocs',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
];

/** Checks what a kind's own class says of the whole object, where a status subresource limits that. */
export function checkRootRules({ className, fields, rules }: ClassModel, mistakes: Mistakes): void {
  if (!fields.some(({ name }) => name === 'status')) return;
  for (const keyword of Object.keys(rules).filter((name) => !ALLOWED.includes(name)))
    mistakes.add(
      { className },
      `@Schema: the API server takes no ${keyword} for a kind that has a status`,
      `@Schema({ ${keyword} }) on the class of spec, or @XValidation({ rule: '…' })`,
    );
}
