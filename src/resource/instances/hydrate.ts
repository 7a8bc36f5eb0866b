import { ownMember } from '../../base/own-member.js';
import { setMember } from '../../base/set-member.js';
import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import { deepClone } from '../../base/deep-clone.js';
import { parseTime } from '../../base/timestamp.js';
import type { CustomResource } from '../custom-resource.js';
import type { ResourceModel } from '../model.js';
import { isOfDefinition, type ClassModel, type FieldModel, type ValueModel } from '../fields/value-model.js';

type Members = Record<string, unknown>;

/** Makes a private copy of a JSON value. */
type Copy = (value: unknown) => unknown;

/** The copy functions of a class. */
interface Plan {
  readonly target: new () => object;
  readonly copies: ReadonlyMap<string, Copy>;
  /** Fields that get an empty instance when the object lacks them. */
  readonly filled: readonly (readonly [name: string, make: new () => object])[];
}

const plans = new WeakMap<object, Plan>();

/**
 * Returns a private copy of an object as an instance of its class, nested classes included.
 *
 * A missing field has the value of its initializer. A missing status is a new instance. A missing required field is a
 * new instance too if its class has no required fields: objects stored before the field became required lack it.
 */
export function hydrate<T extends CustomResource>(model: ResourceModel<T>, object: ReadonlyDeep<KubeObject>): T {
  let plan = plans.get(model);
  if (!plan) plans.set(model, (plan = rootPlan(model)));
  const instance = instantiate(plan, object) as Members;
  for (const [name, make] of plan.filled) if (ownMember(object, name) === undefined) instance[name] = new make();
  return instance as unknown as T;
}

function rootPlan({ target, fields }: ResourceModel): Plan {
  const filled = fields.flatMap(({ name, value, isRequired }) => {
    if (!isObject(value)) return [];
    const isFilled = name === 'status' || (isRequired && !value.class?.fields.some((field) => field.isRequired));
    return isFilled ? [[name, value.class ? instanceOf(value.class) : Object] as const] : [];
  });
  return { ...planOf(target, fields), filled };
}

function isObject({ type, schema }: ValueModel): boolean {
  return (schema?.type ?? type) === 'object';
}

function planOf(target: new () => object, fields: readonly FieldModel[]): Plan {
  const copies = fields.flatMap(({ name, value }) => {
    const copy = copyOf(value);
    return copy ? [[name, copy] as const] : [];
  });
  return { target, copies: new Map(copies), filled: [] };
}

/** The copy function of a value; undefined for plain JSON. */
function copyOf({ class: classModel, items, values, isDate }: ValueModel): Copy | undefined {
  if (isDate) return asDate;
  if (classModel) return isOfDefinition(classModel) ? undefined : classCopy(classModel);
  const copyItem = items && copyOf(items);
  if (copyItem) return (value) => (Array.isArray(value) ? value.map(copyItem) : deepClone(value));
  const copyMember = typeof values === 'object' ? copyOf(values) : undefined;
  return copyMember && ((value) => copyMembers(value, copyMember));
}

/** Keeps a string that is not a date. */
function asDate(value: unknown): unknown {
  const epochMs = typeof value === 'string' ? parseTime(value) : undefined;
  // eslint-disable-next-line no-restricted-globals -- makes a Date of a text, does not read the time
  return epochMs === undefined ? deepClone(value) : new Date(epochMs);
}

function classCopy(classModel: ClassModel): Copy {
  const plan = planOf(instanceOf(classModel), classModel.fields);
  return (value) => (isMembers(value) ? instantiate(plan, value) : deepClone(value));
}

function copyMembers(value: unknown, copy: Copy): unknown {
  if (!isMembers(value)) return deepClone(value);
  const result: Members = {};
  for (const key of Object.keys(value)) setMember(result, key, copy(value[key]));
  return result;
}

function instantiate({ target, copies }: Plan, value: Members): object {
  const instance = new target() as Members;
  for (const key of Object.keys(value)) {
    const copy = copies.get(key);
    const member = value[key];
    // Members that are not fields are kept, so that writing the object back loses nothing, unless they hide a method.
    if (copy) instance[key] = copy(member);
    else if (!(key in instance) || Object.hasOwn(instance, key) || !isOfClass(instance, key))
      setMember(instance, key, typeof member === 'object' ? deepClone(member) : member);
  }
  return instance;
}

/** Reports whether a class of the instance, other than Object, has a member of that name. */
function isOfClass(instance: object, key: string): boolean {
  const prototype = Object.getPrototypeOf(instance) as object;
  const isOfEveryObject = Object.getPrototypeOf(prototype) === null;
  return !isOfEveryObject && (Object.hasOwn(prototype, key) || isOfClass(prototype, key));
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function instanceOf({ target }: ClassModel): new () => object {
  return target as new () => object;
}
