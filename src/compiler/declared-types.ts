import type { ClassElement, Directive, Statement, TSEnumDeclaration, TSType } from 'oxc-parser';
import type { DeclaredType } from '../resource/doc-comments.js';

/** The types that a module names, by their names: what `type X = …` stands for, and enums as they are. */
export type NamedTypes = ReadonlyMap<string, TSType | TSEnumDeclaration>;

/** The types that are named at a module's top level. */
export function namedTypes(body: readonly (Statement | Directive)[]): NamedTypes {
  const named = new Map<string, TSType | TSEnumDeclaration>();
  for (const statement of body) {
    const node = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (node?.type === 'TSTypeAliasDeclaration') named.set(node.id.name, node.typeAnnotation);
    if (node?.type === 'TSEnumDeclaration') named.set(node.id.name, node);
  }
  return named;
}

/** What a decorated property's declaration says; nothing when it says nothing of interest. */
export function declaredType(member: ClassElement, named: NamedTypes): DeclaredType | undefined {
  if (member.type !== 'PropertyDefinition' || member.decorators.length === 0) return undefined;
  const annotation = member.typeAnnotation?.typeAnnotation;
  const types = annotation ? membersOf(annotation, named) : [];
  const declared: DeclaredType = { ...(member.optional && { isOptional: true }), ...factsOf(types) };
  return Object.keys(declared).length > 0 ? declared : undefined;
}

const PRIMITIVES: Readonly<Record<string, Pick<DeclaredType, 'primitive'>>> = {
  TSStringKeyword: { primitive: 'string' },
  TSNumberKeyword: { primitive: 'number' },
  TSBooleanKeyword: { primitive: 'boolean' },
};

function factsOf(types: readonly (TSType | TSEnumDeclaration)[]): DeclaredType {
  const has = (name: TSType['type']): boolean => types.some(({ type }) => type === name);
  const values = types.filter(({ type }) => type !== 'TSNullKeyword' && type !== 'TSUndefinedKeyword');
  const literals = values.map(literalOf).filter((literal) => literal !== undefined);
  return {
    ...(has('TSNullKeyword') && { isNullable: true }),
    ...(has('TSTupleType') && { isTuple: true }),
    ...(values.length > 0 && literals.length === values.length && { literals }),
    ...(values[0] && values.length === 1 && factsOfOne(values[0], types.length > 1)),
  };
}

/** `isUnion` when null or undefined stands beside the type. */
function factsOfOne(type: TSType | TSEnumDeclaration, isUnion: boolean): DeclaredType {
  if (type.type === 'TSEnumDeclaration') return { enumName: type.id.name };
  return (isUnion ? PRIMITIVES[type.type] : undefined) ?? {};
}

/** The types of a union, or the type alone; names of the module stand for what they name. */
function membersOf(
  type: TSType | TSEnumDeclaration,
  named: NamedTypes,
  seen: readonly string[] = [],
): (TSType | TSEnumDeclaration)[] {
  if (type.type === 'TSUnionType') return type.types.flatMap((member) => membersOf(member, named, seen));
  if (type.type === 'TSParenthesizedType') return membersOf(type.typeAnnotation, named, seen);
  if (type.type !== 'TSTypeReference' || type.typeName.type !== 'Identifier') return [type];
  const { name } = type.typeName;
  const meant = seen.includes(name) ? undefined : named.get(name);
  return meant ? membersOf(meant, named, [...seen, name]) : [type];
}

function literalOf(type: TSType | TSEnumDeclaration): string | number | undefined {
  if (type.type !== 'TSLiteralType') return undefined;
  const { literal } = type;
  if (literal.type === 'UnaryExpression') {
    const { argument, operator } = literal;
    return operator === '-' && argument.type === 'Literal' && typeof argument.value === 'number'
      ? -argument.value
      : undefined;
  }
  const value = literal.type === 'Literal' ? literal.value : undefined;
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}
