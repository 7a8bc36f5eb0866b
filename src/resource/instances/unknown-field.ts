import { deepEqual } from '../../base/deep-equal.js';
import { ownMember } from '../../base/own-member.js';
import type { ClassModel, ValueModel } from '../fields/value-model.js';

/** A member that the schema of its class does not have, which the API server therefore drops. */
export interface UnknownField {
  /** From the start of the value: `.phse`, `.nodes[0].zone`. */
  readonly path: string;
  readonly name: string;
  readonly classModel: ClassModel;
}

/**
 * Returns the first member of a JSON value that its model does not have and that `before` did not hold already.
 *
 * Members that the object came with are kept, so that versions of a class can be mixed.
 */
export function unknownField(value: unknown, before: unknown, model: ValueModel, path = ''): UnknownField | undefined {
  if (model.schema || typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return inItems(value, before, model, path);
  const members = value as Readonly<Record<string, unknown>>;
  const earlier = membersOf(before);
  if (model.class) return inFields(members, earlier, model, model.class, path);
  const { values } = model;
  if (typeof values !== 'object') return undefined;
  return first(Object.keys(members), (key) =>
    unknownField(members[key], ownMember(earlier, key), values, `${path}.${key}`),
  );
}

function inItems(value: readonly unknown[], before: unknown, { items }: ValueModel, path: string) {
  const earlier = Array.isArray(before) ? (before as readonly unknown[]) : [];
  return (
    items && first([...value.keys()], (index) => unknownField(value[index], earlier[index], items, `${path}[${index}]`))
  );
}

function inFields(
  members: Readonly<Record<string, unknown>>,
  earlier: Readonly<Record<string, unknown>>,
  { rules }: ValueModel,
  classModel: ClassModel,
  path: string,
): UnknownField | undefined {
  const { fields, undeclared = {} } = classModel;
  const isOpen = [rules, classModel.rules].some((each) => each['x-kubernetes-preserve-unknown-fields'] === true);
  return first(Object.keys(members), (key) => {
    const field = fields.find(({ name }) => name === key);
    if (field) return unknownField(members[key], ownMember(earlier, key), field.value, `${path}.${key}`);
    const isAllowed = isOpen || Object.hasOwn(undeclared, key) || deepEqual(members[key], ownMember(earlier, key));
    return isAllowed ? undefined : { path: `${path}.${key}`, name: key, classModel };
  });
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function first<T>(items: readonly T[], find: (item: T) => UnknownField | undefined): UnknownField | undefined {
  for (const item of items) {
    const found = find(item);
    if (found) return found;
  }
  return undefined;
}
