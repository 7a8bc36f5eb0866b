import type { ArrayExpression, ClassElement, Directive, Statement, TSEnumDeclaration, TSType } from 'oxc-parser';
import type { DeclaredType } from '../resource/declared-type.js';
import { optionText } from './option-text.js';

/** The types that are declared or imported at a module's top level. */
export interface ModuleTypes {
  /** Type aliases and enums by name. */
  readonly named: ReadonlyMap<string, TSType | TSEnumDeclaration>;
  /** Names that do not exist at run time: interfaces, and names imported by `import type`. */
  readonly erased: ReadonlyMap<string, 'interface' | 'type import'>;
  /** Names by which the module imports `Condition` of kindwright. */
  readonly conditions: ReadonlySet<string>;
}

type NamedTypes = ModuleTypes['named'];

export function moduleTypes(body: readonly (Statement | Directive)[]): ModuleTypes {
  const named = new Map<string, TSType | TSEnumDeclaration>();
  const erased = new Map<string, 'interface' | 'type import'>();
  for (const statement of body) {
    const node = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (node?.type === 'TSTypeAliasDeclaration') named.set(node.id.name, node.typeAnnotation);
    if (node?.type === 'TSEnumDeclaration') named.set(node.id.name, node);
    if (node?.type === 'TSInterfaceDeclaration') erased.set(node.id.name, 'interface');
    for (const name of typeImports(statement)) erased.set(name, 'type import');
  }
  return { named, erased, conditions: new Set(body.flatMap(conditionImports)) };
}

function conditionImports(statement: Statement | Directive): string[] {
  if (statement.type !== 'ImportDeclaration' || statement.source.value !== 'kindwright') return [];
  return statement.specifiers
    .filter((one) => one.type === 'ImportSpecifier')
    .filter(({ imported }) => imported.type === 'Identifier' && imported.name === 'Condition')
    .map(({ local }) => local.name);
}

function typeImports(statement: Statement | Directive): string[] {
  if (statement.type !== 'ImportDeclaration') return [];
  const isTypeOnly = statement.importKind === 'type';
  return statement.specifiers
    .filter((one) => isTypeOnly || (one.type === 'ImportSpecifier' && one.importKind === 'type'))
    .map(({ local }) => local.name);
}

/** Returns facts from a decorated property's declaration; undefined without facts. */
export function declaredMemberType(member: ClassElement, module: ModuleTypes): DeclaredType | undefined {
  if (member.type !== 'PropertyDefinition' || member.decorators.length === 0) return undefined;
  const annotation = member.typeAnnotation?.typeAnnotation;
  const types = annotation ? membersOf(annotation, module.named) : [];
  const declared: DeclaredType = {
    ...(member.optional && { isOptional: true }),
    ...factsOf(types, module.erased),
    ...conditionFacts(types, module.conditions),
    ...(!annotation && { inferred: inferredType(member.value) }),
  };
  return Object.keys(declared).length > 0 ? declared : undefined;
}

/** Returns the type of an initializer in TypeScript syntax; `unknown` parts need a type checker to infer them. */
function inferredType(value: ArrayExpression['elements'][number]): string {
  switch (value?.type) {
    case 'Literal':
      return value.value === null ? 'unknown' : typeof value.value;
    case 'TemplateLiteral':
      return 'string';
    case 'ArrayExpression':
      return `${inferredType(value.elements[0] ?? null)}[]`;
    default:
      return expressionType(value) ?? 'unknown';
  }
}

function expressionType(value: ArrayExpression['elements'][number]): string | undefined {
  if (value?.type === 'UnaryExpression' && value.operator === '-') return 'number';
  return value?.type === 'NewExpression' && value.callee.type === 'Identifier' ? value.callee.name : undefined;
}

const PRIMITIVES: Readonly<Record<string, Pick<DeclaredType, 'primitive'>>> = {
  TSStringKeyword: { primitive: 'string' },
  TSNumberKeyword: { primitive: 'number' },
  TSBooleanKeyword: { primitive: 'boolean' },
};

function factsOf(types: readonly (TSType | TSEnumDeclaration)[], erased: ModuleTypes['erased']): DeclaredType {
  const has = (name: TSType['type']): boolean => types.some(({ type }) => type === name);
  const values = types.filter(({ type }) => type !== 'TSNullKeyword' && type !== 'TSUndefinedKeyword');
  const literals = values.map(literalOf).filter((literal) => literal !== undefined);
  const [only] = values;
  return {
    ...(has('TSNullKeyword') && { isNullable: true }),
    ...(has('TSTupleType') && { isTuple: true }),
    ...(values.length > 0 && literals.length === values.length && { literals }),
    ...(only && values.length === 1 ? factsOfOne(only, types.length > 1, erased) : factsOfUnion(values)),
  };
}

function conditionFacts(
  types: readonly (TSType | TSEnumDeclaration)[],
  conditions: ModuleTypes['conditions'],
): DeclaredType {
  const options = new Set([...conditions].map((name) => `items: ${name}`));
  const isList = types.some((type) => type.type !== 'TSEnumDeclaration' && options.has(optionText(type) ?? ''));
  return isList ? { isConditions: true } : {};
}

function factsOfUnion(values: readonly (TSType | TSEnumDeclaration)[]): DeclaredType {
  const types = [...new Set(values.map(({ type }) => type))].sort().join();
  if (types === 'TSNumberKeyword,TSStringKeyword') return { option: 'intOrString: true' };
  return types === 'TSBigIntKeyword,TSNumberKeyword' ? { option: `type: 'integer', format: 'int64'` } : {};
}

/** Returns the facts of one type; `isUnion` is set for a union with null or undefined. */
function factsOfOne(type: TSType | TSEnumDeclaration, isUnion: boolean, erased: ModuleTypes['erased']): DeclaredType {
  if (type.type === 'TSEnumDeclaration') return { enumName: type.id.name };
  // the metadata contains a class, unless it is part of a union
  const isRecorded = !isUnion && type.type === 'TSTypeReference' && !type.typeArguments;
  const option = isRecorded ? undefined : optionText(type);
  const erasedType = erasedIn(type, erased) ?? (option === undefined ? objectType(type) : undefined);
  return {
    ...(isUnion && PRIMITIVES[type.type]),
    ...(option !== undefined && { option }),
    ...(erasedType && { erased: erasedType }),
  };
}

function erasedIn(type: TSType, erased: ModuleTypes['erased']): DeclaredType['erased'] {
  const name = referenceIn(type);
  const by = name === undefined ? undefined : erased.get(name);
  return name === undefined || by === undefined ? undefined : { name, by };
}

function objectType(type: TSType): DeclaredType['erased'] {
  return type.type === 'TSTypeLiteral' ? { name: '{ … }', by: 'object type' } : undefined;
}

/** Returns the name of a type, of the items of an array type, or of the values of a record type. */
function referenceIn(type: TSType): string | undefined {
  if (type.type === 'TSArrayType') return referenceIn(type.elementType);
  if (type.type === 'TSTypeOperator') return referenceIn(type.typeAnnotation);
  if (type.type !== 'TSTypeReference' || type.typeName.type !== 'Identifier') return undefined;
  const last = type.typeArguments?.params.at(-1);
  return last ? referenceIn(last) : type.typeName.name;
}

/** Returns the types of a union, or the type itself; names declared in the module are resolved. */
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
