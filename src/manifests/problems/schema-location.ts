import { classRuleDecorator } from '../../resource/fields/class-rules.js';
import { isOfDefinition, type ClassModel, type ValueModel } from '../../resource/fields/value-model.js';
import type { Location } from '../../resource/location.js';

/** The declaration that a path of a schema leads to, and the part of the path within the declaration's own schema. */
export interface SchemaLocation {
  readonly location: Location;
  readonly rest: string;
  /** The class of the value there. */
  readonly classModel: ClassModel | undefined;
}

/** A position while following a path. */
interface Position extends SchemaLocation {
  readonly value: ValueModel | undefined;
}

/** Finds the class, field, item or map value that declares a place of a schema: `properties[spec].items.minimum`. */
export function schemaLocation(path: string, root: ClassModel): SchemaLocation {
  let position: Position = { location: { target: root.target }, classModel: root, value: undefined, rest: path };
  for (;;) {
    const next = intoField(position) ?? intoMember(position);
    if (!next) return { ...position, location: declared(position) };
    position = next;
  }
}

/** The rules of a class come before those of the field that has the class as its type. */
function declared({ location, classModel, rest }: Position): Location {
  const [, index] = /^x-kubernetes-validations\[(\d+)\]/.exec(rest) ?? [];
  const own = classModel?.rules['x-kubernetes-validations']?.length ?? 0;
  if (!classModel || index === undefined || Number(index) >= own) return location;
  const { target } = classModel;
  return { target, decorator: classRuleDecorator(target, Number(index)) };
}

function intoField({ location: outer, classModel, rest }: Position): Position | undefined {
  const [step, name = ''] = /^properties\[([^\]]*)\]\.?/.exec(rest) ?? [];
  const value = classModel?.fields.find((field) => field.name === name)?.value;
  if (step === undefined || !classModel || !value) return undefined;
  const location = isOfDefinition(classModel)
    ? { target: outer.target, member: `${outer.member}.${name}` }
    : { target: classModel.target, member: name };
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
