import type { TSType } from 'oxc-parser';

const PRIMITIVES: Readonly<Record<string, string>> = {
  TSStringKeyword: 'String',
  TSBooleanKeyword: 'Boolean',
  TSNumberKeyword: `{ type: 'integer', format: 'int32' }`,
};

/**
 * Returns the option of `@Field` that states a TypeScript type, such as `items: EnvVar`; undefined when no option
 * does.
 */
export function optionText(type: TSType): string | undefined {
  const items = itemType(type);
  if (items) return prefixed('items: ', valueText(items));
  const values = valueType(type);
  if (values) return prefixed('values: ', valueText(values));
  if (['TSAnyKeyword', 'TSUnknownKeyword', 'TSObjectKeyword'].includes(type.type)) return 'preserveUnknownFields: true';
  const name = className(type);
  if (name === 'Date') return 'type: Date';
  return name === undefined ? undefined : `type: () => ${name}`;
}

/** Returns a type as the value of `items` and `values`. */
function valueText(type: TSType): string | undefined {
  const text = PRIMITIVES[type.type] ?? className(type);
  if (text !== undefined) return text;
  const option = optionText(type);
  return option === undefined ? undefined : `{ ${option} }`;
}

function itemType(type: TSType): TSType | undefined {
  if (type.type === 'TSArrayType') return type.elementType;
  if (type.type === 'TSTypeOperator' && type.operator === 'readonly') return itemType(type.typeAnnotation);
  return isReference(type, 'Array', 'ReadonlyArray') ? type.typeArguments?.params[0] : undefined;
}

function valueType(type: TSType): TSType | undefined {
  if (isReference(type, 'Record')) return type.typeArguments?.params[1];
  const [member, ...others] = type.type === 'TSTypeLiteral' ? type.members : [];
  return member?.type === 'TSIndexSignature' && others.length === 0 ? member.typeAnnotation.typeAnnotation : undefined;
}

function className(type: TSType): string | undefined {
  const isPlain = type.type === 'TSTypeReference' && type.typeName.type === 'Identifier' && !type.typeArguments;
  return isPlain && type.typeName.type === 'Identifier' ? type.typeName.name : undefined;
}

function isReference(type: TSType, ...names: readonly string[]): type is TSType & { type: 'TSTypeReference' } {
  return type.type === 'TSTypeReference' && type.typeName.type === 'Identifier' && names.includes(type.typeName.name);
}

function prefixed(prefix: string, text: string | undefined): string | undefined {
  return text === undefined ? undefined : prefix + text;
}
