import { DYN, type CelType } from '../../../crd/cel/check/cel-type.js';
import { declTypeOf } from '../../../crd/cel/check/decl-type.js';
import type { SchemaProps } from '../../../crd/schema-props.js';
import { arrayAt, eachObject, objectAt, stringAt, type JsonObject } from '../../objects/api-object.js';
import { Expressions } from '../../expressions/expressions.js';
import { admissionDeclarations, type Declarations } from '../../expressions/policy-declarations.js';
import { OwnVariables } from '../../expressions/own-variables.js';

/** A kind in a version of its group. */
export interface PolicyKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** A lookup of kinds and their schemas. */
export interface KindCatalog {
  /** Returns the kind of a resource; undefined if unknown. */
  kindOf(apiVersion: string, plural: string): PolicyKind | undefined;
  /** Returns the schema of a kind, with references resolved. */
  schemaOf(kind: PolicyKind): SchemaProps | undefined;
}

const MOST_KINDS = 10;

/**
 * Returns type errors in the expressions of a ValidatingAdmissionPolicy for the kinds it matches:
 * validating/typechecking.go.
 */
export function expressionWarnings(policy: JsonObject, catalog: KindCatalog): JsonObject[] {
  const spec = objectAt(policy, 'spec');
  const { apiVersion, kind } = objectAt(spec, 'paramKind');
  const params =
    spec.paramKind === undefined
      ? undefined
      : (typeOf({ apiVersion: String(apiVersion), kind: String(kind) }, catalog) ?? DYN);
  const checks = kindsOf(spec, catalog).flatMap((each) => {
    const object = typeOf(each, catalog);
    return object ? [{ title: titleOf(each), over: expressionsOver(spec, object, params) }] : [];
  });
  return eachObject(spec.validations).flatMap((validation, index) =>
    ['expression', 'messageExpression'].flatMap((field) => {
      const source = stringAt(validation, field);
      const problems = checks.map(({ title, over }) => {
        const problem = source === '' ? undefined : over.problem(source);
        return problem === undefined ? '' : `${title}: ${problem.replace(/^compilation failed: /, '')}\n`;
      });
      const warning = problems.filter((problem) => problem !== '').join('\n');
      return warning === '' ? [] : [{ fieldRef: `spec.validations[${index}].${field}`, warning }];
    }),
  );
}

function typeOf(kind: PolicyKind, catalog: KindCatalog): CelType | undefined {
  const schema = catalog.schemaOf(kind);
  return schema && declTypeOf(schema, true)?.type;
}

/** Formats a kind: `apps/v1, Kind=Deployment`. */
function titleOf({ apiVersion, kind }: PolicyKind): string {
  return `${apiVersion.includes('/') ? '' : '/'}${apiVersion}, Kind=${kind}`;
}

/** Returns the kinds of the rules with explicit groups, versions and resources, in order. */
function kindsOf(spec: JsonObject, catalog: KindCatalog): PolicyKind[] {
  const found = new Map<string, PolicyKind>();
  for (const rule of eachObject(objectAt(spec, 'matchConstraints').resourceRules)) {
    const list = (name: string): string[] => (arrayAt(rule, name) as string[]).toSorted();
    const [groups, versions] = [list('apiGroups'), list('apiVersions')];
    if ([...groups, ...versions].some((name) => name.includes('*'))) continue;
    const versioned = groups.flatMap((group) =>
      versions.map((version) => (group === '' ? version : `${group}/${version}`)),
    );
    const kinds = versioned.flatMap((apiVersion) =>
      list('resources')
        .filter((resource) => !/[*/]/.test(resource))
        .flatMap((resource) => catalog.kindOf(apiVersion, resource) ?? []),
    );
    for (const kind of kinds.slice(0, MOST_KINDS)) found.set(titleOf(kind), kind);
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, kind]) => kind);
}

function expressionsOver(spec: JsonObject, object: CelType, params: CelType | undefined): Expressions {
  const given: Declarations = {
    ...admissionDeclarations(params !== undefined),
    object,
    oldObject: object,
    ...(params && { params }),
  };
  return new Expressions({ ...given, ...new OwnVariables(spec.variables, given).declarations });
}
