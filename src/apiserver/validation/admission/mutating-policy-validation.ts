import { invalidValue, required, type FieldError } from '../../../api/protocol/field-error.js';
import { declaredTypeName, type CelType } from '../../../crd/cel/check/cel-type.js';
import { objectsAsMaps } from '../../../crd/cel/syntax/object-literals.js';
import { PolicyExpressions } from '../../expressions/policy-expressions.js';
import {
  eachObject,
  isJsonObject,
  objectAt,
  stringAt,
  type ApiObject,
  type JsonObject,
} from '../../objects/api-object.js';
import { validateOneOf } from '../fields/field-checks.js';
import { validatePolicy } from './policy-validation.js';

/** The field of a patch by patch type. */
const PATCHES = { ApplyConfiguration: 'applyConfiguration', JSONPatch: 'jsonPatch' } as const;

/** Returns the errors of a MutatingAdmissionPolicy: pkg/apis/admissionregistration/validation. */
export function validateMutatingPolicy(policy: ApiObject, old?: ApiObject): FieldError[] {
  const spec = objectAt(policy, 'spec');
  const mutations = eachObject(spec.mutations);
  return [
    ...validatePolicy(policy, old),
    ...(mutations.length === 0 ? [required('spec.mutations', 'mutations must contain at least one item')] : []),
    ...mutations.flatMap((mutation, index) => mutationErrors(policy, mutation, `spec.mutations[${index}]`)),
    ...validateOneOf('spec.reinvocationPolicy', spec.reinvocationPolicy, ['IfNeeded', 'Never']),
  ];
}

function mutationErrors(policy: ApiObject, mutation: JsonObject, field: string): FieldError[] {
  const { patchType } = mutation;
  const errors = validateOneOf(`${field}.patchType`, patchType, Object.keys(PATCHES));
  if (errors.length > 0) return errors;
  const name = PATCHES[patchType as keyof typeof PATCHES];
  const other = name === 'jsonPatch' ? 'applyConfiguration' : 'jsonPatch';
  const isThere = isJsonObject(mutation[name]);
  const tooMuch = `must not be specified when patchType is ${String(patchType)}`;
  return [
    ...(isThere ? [] : [required(`${field}.${name}`, `must be specified when patchType is ${String(patchType)}`)]),
    ...(isThere
      ? expressionErrors(
          policy,
          stringAt(mutation[name], 'expression'),
          name === 'jsonPatch',
          `${field}.${name}.expression`,
        )
      : []),
    ...(isJsonObject(mutation[other]) ? [invalidValue(`${field}.${other}`, `{${other}}`, tooMuch)] : []),
  ];
}

function expressionErrors(policy: ApiObject, source: string, isPatch: boolean, field: string): FieldError[] {
  const trimmed = source.trim();
  if (trimmed === '') return [required(field)];
  const { mutations } = PolicyExpressions.of(policy);
  const problem = mutations.problem(trimmed) ?? typeProblem(trimmed, mutations.typeOf(trimmed), isPatch);
  return problem === undefined ? [] : [invalidValue(field, trimmed, problem)];
}

function typeProblem(source: string, type: CelType | undefined, isPatch: boolean): string | undefined {
  if (!type) return undefined;
  const [object, wanted] = isPatch ? [itemOf(type), 'list(JSONPatch)'] : [type, 'Object'];
  // Objects are maps in this type system.
  const isFitting = object?.kind === 'map' && objectsAsMaps(source) !== source;
  return isFitting ? undefined : `must evaluate to ${wanted} but got ${declaredTypeName(type)}`;
}

function itemOf({ kind, params }: CelType): CelType | undefined {
  return kind === 'list' ? params[0] : undefined;
}
