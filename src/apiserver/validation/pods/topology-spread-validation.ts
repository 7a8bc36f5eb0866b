import { duplicate, invalidValue, notSupported, required, type FieldError } from '../../../api/protocol/field-error.js';
import { eachObject, numberAt, stringAt, type JsonObject } from '../../objects/api-object.js';
import { validateLabelSelector } from '../fields/label-selector-validation.js';
import { validateLabelKeys } from './label-keys-validation.js';

const ACTIONS = ['DoNotSchedule', 'ScheduleAnyway'];
const POLICIES = ['Honor', 'Ignore'];

/** Returns the errors of topology spread constraints: core's validateTopologySpreadConstraints. */
export function validateTopologySpread(constraints: unknown, field: string): FieldError[] {
  const all = eachObject(constraints);
  return all.flatMap((constraint, index) => {
    const path = `${field}[${index}]`;
    const [key, action] = [stringAt(constraint, 'topologyKey'), stringAt(constraint, 'whenUnsatisfiable')];
    return [
      ...positiveErrors(`${path}.maxSkew`, numberAt(constraint, 'maxSkew') ?? 0),
      ...(key === '' ? [required(`${path}.topologyKey`, 'can not be empty')] : []),
      ...(ACTIONS.includes(action) ? [] : [notSupported(`${path}.whenUnsatisfiable`, action, ACTIONS)]),
      ...repeatErrors(constraint, all.slice(index + 1), path),
      ...minDomainsErrors(constraint, `${path}.minDomains`),
      ...['nodeAffinityPolicy', 'nodeTaintsPolicy'].flatMap((name) =>
        policyErrors(`${path}.${name}`, constraint[name]),
      ),
      ...validateLabelKeys({ ...constraint, mismatchLabelKeys: [] }, path),
      ...validateLabelSelector(constraint.labelSelector, `${path}.labelSelector`),
    ];
  });
}

function positiveErrors(field: string, value: number): FieldError[] {
  return value > 0 ? [] : [invalidValue(field, value, 'must be greater than zero')];
}

function repeatErrors(constraint: JsonObject, rest: readonly JsonObject[], field: string): FieldError[] {
  const { topologyKey, whenUnsatisfiable } = constraint;
  const isRepeated = rest.some((one) => one.topologyKey === topologyKey && one.whenUnsatisfiable === whenUnsatisfiable);
  const shown = `{${stringAt(constraint, 'topologyKey')}, ${stringAt(constraint, 'whenUnsatisfiable')}}`;
  return isRepeated ? [duplicate(`${field}.{topologyKey, whenUnsatisfiable}`, shown)] : [];
}

function minDomainsErrors(constraint: JsonObject, field: string): FieldError[] {
  const [least, action] = [numberAt(constraint, 'minDomains'), stringAt(constraint, 'whenUnsatisfiable')];
  if (least === undefined) return [];
  const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`;
  return [...positiveErrors(field, least), ...(action === 'DoNotSchedule' ? [] : [invalidValue(field, least, detail)])];
}

function policyErrors(field: string, policy: unknown): FieldError[] {
  return policy === undefined || POLICIES.includes(policy as string) ? [] : [notSupported(field, policy, POLICIES)];
}
