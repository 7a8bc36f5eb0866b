import type { UnstructuredObject } from '../../api/kube-object.js';
import { crdProblems } from '../../crd/definition/crd-problems.js';
import { illFormedStrings } from './ill-formed-strings.js';
import { isOfDefinition, type ClassModel, type ValueModel } from '../../resource/fields/value-model.js';
import { storedVersion } from '../../resource/kinds/versions.js';
import type { Diagnostics } from '../../resource/diagnostics.js';
import type { Location, Problem } from '../../resource/model-error.js';
import type { ResourceModel } from '../../resource/model.js';
import { refusal } from './refusal.js';

/** Adds what the API server would refuse about a definition, each where its class or field is declared. */
export function checkCrd(crd: UnstructuredObject, versions: readonly ResourceModel[], diagnostics: Diagnostics): void {
  for (const field of illFormedStrings(crd)) addProblem(field, halfCharacter, versions, diagnostics);
  for (const { field, body } of crdProblems(asStored(crd, versions)))
    addProblem(field, (path) => refusal(body, path), versions, diagnostics);
}

/** A definition with what the server adds before it looks at it. */
function asStored(crd: UnstructuredObject, versions: readonly ResourceModel[]): UnstructuredObject {
  const stored = storedVersion(versions);
  const { names, ...spec } = crd['spec'] as { names: object };
  return {
    ...crd,
    spec: { conversion: { strategy: 'None' }, ...spec, names },
    status: { acceptedNames: names, storedVersions: stored ? [stored.kind.version] : [], conditions: [] },
  };
}

/** What holds for every version, the server speaks of as if there were but one. */
const SCHEMA = /^spec\.(?:versions\[(\d+)\]\.schema|validation)\.openAPIV3Schema\.?(.*)$/s;

function addProblem(
  field: string,
  problemAt: (path: string) => Problem,
  versions: readonly ResourceModel[],
  diagnostics: Diagnostics,
): void {
  const [, index, below] = SCHEMA.exec(field) ?? [];
  const model = versions[Number(index ?? 0)] ?? versions[0];
  if (!model) return;
  if (below === undefined) diagnostics.add({ className: model.className }, ...problemAt(field));
  else {
    const { rest, ...location } = locationOf(below, model.classModel);
    diagnostics.add(location, ...problemAt(rest));
  }
}

function halfCharacter(path: string): Problem {
  return [
    `a string of it holds half a character${path === '' ? '' : ` (${path})`}`,
    'a pair of UTF-16 units, or none of it',
  ];
}

/** How far a path of a schema has been followed. */
interface Position {
  readonly location: Location;
  readonly classModel: ClassModel | undefined;
  readonly value: ValueModel | undefined;
  readonly rest: string;
}

/** Where a path of a schema is declared, and what of the path lies within the field's own schema. */
function locationOf(path: string, root: ClassModel): Location & { rest: string } {
  let position: Position = { location: { className: root.className }, classModel: root, value: undefined, rest: path };
  for (;;) {
    const next = intoField(position) ?? intoMember(position);
    if (!next) return { ...declared(position), rest: position.rest };
    position = next;
  }
}

/** Rules of a class stand before those of the field that is of it. */
function declared({ location, classModel, rest }: Position): Location {
  const [, index] = /^x-kubernetes-validations\[(\d+)\]/.exec(rest) ?? [];
  const own = classModel?.rules['x-kubernetes-validations']?.length ?? 0;
  return classModel && index !== undefined && Number(index) < own ? { className: classModel.className } : location;
}

function intoField({ location: outer, classModel, rest }: Position): Position | undefined {
  const [step, name = ''] = /^properties\[([^\]]*)\]\.?/.exec(rest) ?? [];
  const value = classModel?.fields.find((field) => field.name === name)?.value;
  if (step === undefined || !classModel || !value) return undefined;
  const location = isOfDefinition(classModel)
    ? { className: outer.className, member: `${outer.member}.${name}` }
    : { className: classModel.className, member: name };
  return { location, classModel: value.class, value, rest: rest.slice(step.length) };
}

function intoMember({ location, value, rest }: Position): Position | undefined {
  const [step, keyword] = /^(items|additionalProperties)\.?/.exec(rest) ?? [];
  const member = keyword === 'items' ? value?.items : value?.values;
  if (step === undefined || typeof member !== 'object' || location.member === undefined) return undefined;
  const suffix = keyword === 'items' ? '[]' : '{}';
  return {
    location: { ...location, member: location.member + suffix },
    classModel: member.class,
    value: member,
    rest: rest.slice(step.length),
  };
}
