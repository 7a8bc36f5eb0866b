import type { JsonSchema, ValidationRule } from '../../api/schema/json-schema.js';
import { inlinesOf, type Block, type Inline } from './document.js';

/** The rules of a schema as lines of text, in a fixed order; those about the structure are shown as types. */
export function ruleInlines(schema: JsonSchema): Inline[][] {
  const { title, externalDocs, enum: values, default: byDefault, example } = schema;
  const rules = schema['x-kubernetes-validations'] ?? [];
  return [
    ...(title === undefined ? [] : [[`Title: ${title}`]]),
    ...(values === undefined ? [] : [enumLine(values)]),
    ...('default' in schema ? [['Default: ', { code: text(byDefault) }]] : []),
    ...('example' in schema ? [['Example: ', { code: text(example) }]] : []),
    ...LIMITS.flatMap(([keyword, label]) =>
      schema[keyword] === undefined ? [] : [[`${label}: `, { code: text(schema[keyword]) }]],
    ),
    ...rules.map(ruleLine),
    ...(externalDocs === undefined ? [] : [docsLine(externalDocs)]),
  ];
}

/** The rules of an object as a whole. */
export function objectRules({ rules }: { readonly rules: Readonly<JsonSchema> }): Block[] {
  const items = ruleInlines(rules);
  return items.length === 0 ? [] : [{ kind: 'list', items }];
}

/** Keywords with a value that is shown as it is. */
const LIMITS = [
  ['minimum', 'Minimum'],
  ['exclusiveMinimum', 'Minimum excluded'],
  ['maximum', 'Maximum'],
  ['exclusiveMaximum', 'Maximum excluded'],
  ['multipleOf', 'Multiple of'],
  ['minLength', 'Minimum length'],
  ['maxLength', 'Maximum length'],
  ['pattern', 'Pattern'],
  ['minItems', 'Minimum number of items'],
  ['maxItems', 'Maximum number of items'],
  ['minProperties', 'Minimum number of members'],
  ['maxProperties', 'Maximum number of members'],
  ['x-kubernetes-list-type', 'List type'],
  ['x-kubernetes-list-map-keys', 'Keys of the list'],
  ['x-kubernetes-map-type', 'Map type'],
  ['x-kubernetes-preserve-unknown-fields', 'Unknown fields are kept'],
  ['x-kubernetes-embedded-resource', 'Embedded object'],
  ['allOf', 'All of'],
  ['anyOf', 'Any of'],
  ['oneOf', 'One of'],
  ['not', 'Not'],
] as const satisfies readonly (readonly [keyof JsonSchema, string])[];

function enumLine(values: readonly unknown[]): Inline[] {
  return ['One of: ', ...values.flatMap((value, index) => [...(index === 0 ? [] : [', ']), { code: text(value) }])];
}

function ruleLine({ rule, message }: ValidationRule): Inline[] {
  return ['Rule: ', { code: rule }, ...(message === undefined ? [] : [': ', ...inlinesOf(message)])];
}

function docsLine({ url, description }: NonNullable<JsonSchema['externalDocs']>): Inline[] {
  const label = description ?? url ?? '';
  // Other addresses, such as javascript:, are not links.
  const isLink = url !== undefined && /^https?:\/\/[\x21-\x7e]+$/.test(url);
  return ['See ', isLink ? { text: label, to: url } : `${label} ${url ?? ''}`.trim()];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
