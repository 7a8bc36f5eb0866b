import {
  duplicate,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  type FieldError,
} from '../../api/protocol/field-error.js';
import { type ApiObject, arrayAt, eachObject, objectAt, stringAt } from '../objects/api-object.js';
import { validateContainerResources } from './pods/containers/resources-validation.js';
import { validateImmutable } from './fields/field-checks.js';
import { validateNetwork } from './fields/ip-address.js';
import { dnsLabelErrors, labelValueErrors, qualifiedNameErrors } from '../../api/objects/names.js';
import { parseQuantity } from '../../api/schema/quantity.js';
import { validateLabels } from './fields/object-meta.js';

const SELECTOR = 'scheduling.nodeSelector';
const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Returns the errors of an update of a Node. */
export function validateNodeChange(next: ApiObject, old: ApiObject): FieldError[] {
  const errors = [
    ...amountErrors(next),
    ...networkChangeErrors(arrayAt(next.spec, 'podCIDRs'), arrayAt(old.spec, 'podCIDRs')),
  ];
  const provider = stringAt(old.spec, 'providerID');
  if (provider !== '' && provider !== stringAt(next.spec, 'providerID')) {
    errors.push(forbiddenField('spec.providerID', 'node updates may not change providerID except from "" to valid'));
  }
  return [...errors, ...validateTaints(next, 'metadata.taints')];
}

/** The pod CIDRs of a Node can be set only once. */
function networkChangeErrors(next: readonly unknown[], old: readonly unknown[]): FieldError[] {
  if (old.length === 0) return [];
  const changes = next.length === old.length ? old.filter((network, index) => network !== next[index]).length : 1;
  const detail = 'node updates may not change podCIDR except from "" to valid';
  return Array.from({ length: changes }, () => forbiddenField('spec.podCIDRs', detail));
}

/** Returns the errors of a new Node; the server reports taints as part of the metadata. */
export function validateNode(object: ApiObject): FieldError[] {
  const networks = arrayAt(object.spec, 'podCIDRs').map(String);
  return [
    ...validateTaints(object, 'metadata.taints'),
    ...amountErrors(object),
    ...networks.flatMap((network, index) => validateNetwork(`spec.podCIDRs[${index}]`, network)),
  ];
}

/** The amounts of a Node must not be negative. */
function amountErrors({ status }: ApiObject): FieldError[] {
  return ['capacity', 'allocatable'].flatMap((list) =>
    Object.entries(objectAt({ status }, 'status')[list] ?? {}).flatMap(([name, amount]) => {
      const isNegative = (parseQuantity(String(amount))?.nano ?? 0n) < 0n;
      return isNegative ? [invalidValue(`status.${list}.${name}`, amount, 'must be greater than or equal to 0')] : [];
    }),
  );
}

function validateTaints({ spec }: ApiObject, path: string): FieldError[] {
  const seen = new Set<string>();
  return eachObject(objectAt({ spec }, 'spec').taints).flatMap((taint, index) => {
    const field = `${path}[${index}]`;
    const [key, value, effect] = [stringAt(taint, 'key'), stringAt(taint, 'value'), stringAt(taint, 'effect')];
    const errors = [
      ...qualifiedNameErrors(key).map((message) => invalidValue(`${field}.key`, key, message)),
      ...labelValueErrors(value).map((message) => invalidValue(`${field}.value`, value, message)),
    ];
    if (effect === '') errors.push(required(`${field}.effect`));
    else if (!EFFECTS.includes(effect)) errors.push(notSupported(`${field}.effect`, effect, EFFECTS));
    const identity = `${key}:${effect}`;
    if (seen.has(identity)) errors.push(duplicate(field, taint));
    seen.add(identity);
    return errors;
  });
}

/** Returns the errors of a RuntimeClass. */
export function validateRuntimeClass(object: ApiObject): FieldError[] {
  const handler = stringAt(object, 'handler');
  return [
    ...(handler === ''
      ? [required('handler')]
      : dnsLabelErrors(handler).map((message) => invalidValue('handler', handler, message))),
    ...validateContainerResources({ limits: objectAt(object, 'overhead').podFixed }, 'overhead', []),
    ...validateLabels(objectAt(objectAt(object, 'scheduling'), 'nodeSelector') as Record<string, string>, SELECTOR),
  ];
}

/** Returns the errors of an update of a RuntimeClass: its handler is immutable. */
export function validateRuntimeClassChange(next: ApiObject, old: ApiObject): FieldError[] {
  return validateImmutable('handler', next.handler, old.handler);
}
