import type { DefinitionVersion } from '../api/kinds/definition-parts.js';
import type { JsonSchema } from '../api/schema/json-schema.js';
import type { CustomResourceDefinition } from '../api/kinds/kinds.js';
import { deepEqual } from '../base/deep-equal.js';
import { OperatorError } from '../base/operator-error.js';
import type { BuiltInClasses } from './classes/built-in-classes.js';
import type { FieldPlan } from './class-plan.js';
import { ClassPlanner } from './classes/class-planner.js';
import { classDecorators, classSource, fieldSource, type FieldSourceOptions } from './classes/class-source.js';
import { columnOptions, scaleOptions } from './classes/path-options.js';
import { kindOptions } from './kind-options.js';
import { classDescription, decoratorSource } from './source/decorator-source.js';
import { importSource } from './source/import-source.js';
import { kebabCase, pascalCase, TypeNames } from './source/type-names.js';
import { isFieldName } from './values/expressible.js';

/** The classes and kinds that the package exports. */
export interface Vocabulary {
  readonly builtIns: BuiltInClasses;
  readonly commonFields: CommonFields;
}

/** A TypeScript file for one version of a kind. */
export interface ImportedFile {
  readonly path: string;
  readonly content: string;
}

/** Returns annotated classes that generate the same CustomResourceDefinition, one file per version. */
function importDefinition(definition: CustomResourceDefinition, vocabulary: Vocabulary): ImportedFile[] {
  return definition.spec.versions.map((version) => ({
    path: `${kebabCase(definition.spec.names.kind)}-${version.name}.ts`,
    content: versionSource(definition, version, vocabulary),
  }));
}

function versionSource(
  definition: CustomResourceDefinition,
  version: DefinitionVersion,
  vocabulary: Vocabulary,
): string {
  const { kind } = definition.spec.names;
  const names = new TypeNames();
  const className = names.take(pascalCase(kind), `${pascalCase(kind)}Resource`);
  const schema = version.schema?.openAPIV3Schema ?? {};
  assertExpressible(definition.metadata.name, schema);
  const { hasCommonFields, properties, undeclared } = rootFields(schema, vocabulary.commonFields);
  const planner = new ClassPlanner(names, vocabulary.builtIns);
  const fields = planner.fields({ ...schema, properties }, className);
  planner.describe();
  const options = { ...kindOptions(definition, version, className), ...(!hasCommonFields && { commonFields: false }) };
  const members = fields.map((field) => fieldSource(field, rootFieldOptions(field.name)));
  const decorators = [
    `${decoratorSource('Kind', [options], 0)}\n`,
    ...columnDecorators(version, fields),
    ...classDecorators(rootKeywords(schema), fields, [], undeclared),
  ];
  const classes = [
    ...planner.classes.map(classSource),
    `${classDescription(schema.description)}${decorators.join('')}export class ${className} extends CustomResource {${body(members)}}\n`,
  ];
  return `${importSource(classes.join('\n'), planner.usedDefinitions)}\n${classes.join('\n')}`;
}

function body(members: readonly string[]): string {
  return members.length === 0 ? '' : `\n${members.join('\n')}`;
}

/** The base class already declares apiVersion, kind and metadata. */
function rootFieldOptions(name: string): FieldSourceOptions {
  if (name === 'metadata') return { isOptionalByDefault: true, type: OBJECT_META, isInherited: true };
  if (name === 'apiVersion' || name === 'kind') return { isOptionalByDefault: true, isInherited: true };
  return { isOptionalByDefault: name === 'status' };
}

const OBJECT_META = { alternatives: ['ObjectMeta'], suffix: '' } as const;

function columnDecorators(
  { additionalPrinterColumns = [], selectableFields = [], subresources = {} }: DefinitionVersion,
  fields: readonly FieldPlan[],
) {
  return [
    ...additionalPrinterColumns.map((column) => decoratorSource('PrintColumn', [columnOptions(column, fields)], 0)),
    ...selectableFields.map(({ jsonPath }) => decoratorSource('SelectableField', [jsonPath], 0)),
    ...(subresources.scale ? [decoratorSource('Scale', [scaleOptions(subresources.scale, fields)], 0)] : []),
  ].map((decorator) => `${decorator}\n`);
}

function rootKeywords({ description: _, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

/** Returns files for all definitions; kinds with the same name are in one folder per group. */
export function importDefinitions(
  definitions: readonly CustomResourceDefinition[],
  vocabulary: Vocabulary,
): ImportedFile[] {
  const files = definitions.flatMap((definition) =>
    importDefinition(definition, vocabulary).map((file) => ({ group: definition.spec.group, ...file })),
  );
  const byPath = Map.groupBy(files, ({ path }) => path);
  return files.map(({ group, path, content }) => ({
    path: (byPath.get(path) ?? []).length > 1 ? `${group}/${path}` : path,
    content,
  }));
}

/** Keywords for values other than objects with fields. */
const NOT_OF_ROOT = ['additionalProperties', 'items', 'format', 'enum', 'pattern'] as const;

/** @throws OperatorError when the root schema has a keyword that the class of a kind cannot express */
function assertExpressible(name: string, schema: JsonSchema): void {
  const keyword = NOT_OF_ROOT.find((key) => schema[key] !== undefined);
  if (keyword === undefined) return;
  throw new OperatorError(
    `${name} has the keyword ${keyword} at the root of its schema, which cannot be expressed as a class`,
    {
      code: 'E_CRD',
      hint: 'keep the definition in YAML and read its objects untyped, with toKindRef',
    },
  );
}

/** The schemas of the common fields of all objects, as controller-gen writes them. */
type CommonFields = Readonly<Record<string, JsonSchema>>;

/** The schema of a kind, split into the common fields and its own fields. */
interface RootFields {
  /** True when all common fields are present. */
  readonly hasCommonFields: boolean;
  /** The kind's own fields, and common fields with a different schema. */
  readonly properties: Readonly<Record<string, JsonSchema>>;
  /** Fields that a class cannot declare. */
  readonly undeclared: Readonly<Record<string, JsonSchema>>;
}

/** Methods of every kind's class. */
const METHODS: readonly string[] = ['reconcile', 'deleted'];

function rootFields({ properties = {} }: JsonSchema, common: CommonFields): RootFields {
  const hasCommonFields = Object.keys(common).every((name) => Object.hasOwn(properties, name));
  const own = Object.entries(properties).filter(([name, schema]) => {
    return !(hasCommonFields && Object.hasOwn(common, name) && deepEqual(common[name], schema));
  });
  const isDeclared = ([name]: [string, unknown]): boolean => !METHODS.includes(name) && isFieldName(name);
  return {
    hasCommonFields,
    properties: Object.fromEntries(own.filter(isDeclared)),
    undeclared: Object.fromEntries(own.filter((field) => !isDeclared(field))),
  };
}
