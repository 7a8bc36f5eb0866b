import type { JsonSchema } from '../api/json-schema.js';
import type { FieldPlan } from './classes/class-plan.js';
import { classDecorators, classSource, fieldSource, type FieldSourceOptions } from './classes/class-source.js';
import type { BuiltInClasses } from './classes/built-in-classes.js';
import { ClassPlanner } from './classes/class-planner.js';
import { columnOptions, scaleOptions } from './classes/path-options.js';
import { decoratorSource } from './source/decorator-source.js';
import type { CustomResourceDefinition } from '../api/kinds.js';
import type { DefinitionVersion } from '../api/definition-parts.js';
import { docComment } from './source/doc-comment.js';
import { importSource } from './source/import-source.js';
import { kindOptions } from './kind-options.js';
import { assertExpressible } from './assert-expressible.js';
import { rootFields, type CommonFields } from './classes/root-fields.js';
import { kebabCase, pascalCase, TypeNames } from './source/type-names.js';

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
export function importDefinition(definition: CustomResourceDefinition, vocabulary: Vocabulary): ImportedFile[] {
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
    `${decoratorSource('Kind', options, 0)}\n`,
    ...columnDecorators(version, fields),
    ...classDecorators(rootKeywords(schema), fields, [], undeclared),
  ];
  const classes = [
    ...planner.classes.map(classSource),
    `${docComment(schema.description ?? '', 0) ?? ''}${decorators.join('')}export abstract class ${className} extends CustomResource {${body(members)}}\n`,
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
    ...additionalPrinterColumns.map((column) => decoratorSource('PrintColumn', columnOptions(column, fields), 0)),
    ...selectableFields.map(({ jsonPath }) => decoratorSource('SelectableField', jsonPath, 0)),
    ...(subresources.scale ? [decoratorSource('Scale', scaleOptions(subresources.scale, fields), 0)] : []),
  ].map((decorator) => `${decorator}\n`);
}

function rootKeywords({ description: _, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
