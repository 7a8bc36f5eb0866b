import type { ClassElement, Directive, Statement, TSType } from 'oxc-parser';

/** What the declaration of a property says that is lost when it is compiled; what is false is left out. */
export interface DeclaredType {
  readonly isOptional?: true;
  /** Whether null is one of its types. */
  readonly isNullable?: true;
  readonly isTuple?: true;
  /** Its values, where it takes only some. */
  readonly literals?: readonly (string | number)[];
}

/** The types that a module names, by their names. */
export type TypeAliases = ReadonlyMap<string, TSType>;

/** The `type X = …` of a module's top level. */
export function typeAliases(body: readonly (Statement | Directive)[]): TypeAliases {
  const declarations = body.map((statement) =>
    statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement,
  );
  const aliases = declarations.filter((node) => node?.type === 'TSTypeAliasDeclaration');
  return new Map(aliases.map(({ id, typeAnnotation }) => [id.name, typeAnnotation]));
}

/** What a decorated property's declaration says; nothing when it says nothing of interest. */
export function declaredType(member: ClassElement, aliases: TypeAliases): DeclaredType | undefined {
  if (member.type !== 'PropertyDefinition' || member.decorators.length === 0) return undefined;
  const annotation = member.typeAnnotation?.typeAnnotation;
  const types = annotation ? membersOf(annotation, aliases) : [];
  const declared: DeclaredType = { ...(member.optional && { isOptional: true }), ...factsOf(types) };
  return Object.keys(declared).length > 0 ? declared : undefined;
}

function factsOf(types: readonly TSType[]): DeclaredType {
  const has = (name: TSType['type']): boolean => types.some(({ type }) => type === name);
  const values = types.filter(({ type }) => type !== 'TSNullKeyword' && type !== 'TSUndefinedKeyword');
  const literals = values.map(literalOf).filter((literal) => literal !== undefined);
  return {
    ...(has('TSNullKeyword') && { isNullable: true }),
    ...(has('TSTupleType') && { isTuple: true }),
    ...(values.length > 0 && literals.length === values.length && { literals }),
  };
}

/** The types of a union, or the type alone; names of the module stand for what they name. */
function membersOf(type: TSType, aliases: TypeAliases, seen: readonly string[] = []): TSType[] {
  if (type.type === 'TSUnionType') return type.types.flatMap((member) => membersOf(member, aliases, seen));
  if (type.type === 'TSParenthesizedType') return membersOf(type.typeAnnotation, aliases, seen);
  if (type.type !== 'TSTypeReference' || type.typeName.type !== 'Identifier') return [type];
  const { name } = type.typeName;
  const named = seen.includes(name) ? undefined : aliases.get(name);
  return named ? membersOf(named, aliases, [...seen, name]) : [type];
}

function literalOf(type: TSType): string | number | undefined {
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
