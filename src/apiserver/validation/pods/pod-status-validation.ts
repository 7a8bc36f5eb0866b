import { forbiddenField, internalProblem, invalidValue, type FieldError } from '../../../api/protocol/field-error.js';
import {
  arrayAt,
  eachObject,
  isJsonObject,
  numberAt,
  objectAt,
  stringAt,
  type ApiObject,
  type JsonObject,
} from '../../objects/api-object.js';
import { checkDnsSubdomain, validateImmutable, validateOptional, checkQualifiedName } from '../fields/field-checks.js';
import { validateAddress, familyOf } from '../fields/ip-address.js';
import { validatePodAnnotationChange, validatePodAnnotations } from './pod-annotation-validation.js';

const SYSTEM_CONDITIONS = ['PodScheduled', 'Ready', 'Initialized'];
const ONE_A_FAMILY = 'may specify no more than one IP for each IP family';
const GENERATION = 'must be a non-negative integer';

/** Returns the errors of an update of a pod's status: core's ValidatePodStatusUpdate. */
export function validatePodStatus(next: ApiObject, old: ApiObject): FieldError[] {
  const [status, former, spec] = [objectAt(next, 'status'), objectAt(old, 'status'), objectAt(next, 'spec')];
  const annotations = next.metadata.annotations ?? {};
  const generation = numberAt(status, 'observedGeneration') ?? 0;
  return [
    ...validatePodAnnotationChange(annotations, old.metadata.annotations ?? {}, 'metadata.annotations'),
    ...validatePodAnnotations(annotations, spec, 'metadata.annotations'),
    ...eachObject(status.conditions).flatMap(conditionErrors),
    ...nominationErrors(spec, status, former),
    ...(generation < 0 ? [invalidValue('status.observedGeneration', generation, GENERATION)] : []),
    ...validateImmutable('status.qosClass', status.qosClass, former.qosClass),
    ...['containers', 'initContainers'].flatMap((name) => transitionErrors(name, spec, status, former)),
    ...addressErrors(status.podIPs, former.podIPs, 'status.podIPs'),
    ...hostErrors(status),
    ...addressErrors(status.hostIPs, former.hostIPs, 'status.hostIPs'),
  ];
}

function conditionErrors(condition: JsonObject, index: number): FieldError[] {
  const [field, type] = [`status.conditions[${index}]`, stringAt(condition, 'type')];
  const generation = numberAt(condition, 'observedGeneration') ?? 0;
  return [
    ...(generation < 0 ? [invalidValue(`${field}.observedGeneration`, generation, GENERATION)] : []),
    ...(SYSTEM_CONDITIONS.includes(type) ? [] : checkQualifiedName(`${field}.Type`, type)),
  ];
}

function nominationErrors(spec: JsonObject, status: JsonObject, former: JsonObject): FieldError[] {
  const [field, name] = ['status.nominatedNodeName', stringAt(status, 'nominatedNodeName')];
  if (name === stringAt(former, 'nominatedNodeName')) return [];
  const isBound = name !== '' && stringAt(spec, 'nodeName') !== '';
  return [
    ...validateOptional(field, name, checkDnsSubdomain),
    ...(isBound ? [forbiddenField(field, 'may not be set on pods that are already bound to a node')] : []),
  ];
}

/** A terminated container that is not restarted must remain terminated. */
function transitionErrors(name: string, spec: JsonObject, status: JsonObject, former: JsonObject): FieldError[] {
  const statuses = `${name.slice(0, -1)}Statuses`;
  const all = [...eachObject(spec.initContainers), ...eachObject(spec.containers)];
  const isAnyFreed = all.some((container) =>
    eachObject(container.restartPolicyRules).some(({ action }) => action === 'RestartAllContainers'),
  );
  if (isAnyFreed) return [];
  return eachObject(former[statuses]).flatMap((old, index) => {
    const { terminated } = objectAt(old, 'state');
    const next = eachObject(status[statuses]).find((one) => one.name === old.name);
    if (!isJsonObject(terminated) || !next || isJsonObject(objectAt(next, 'state').terminated)) return [];
    const container = eachObject(spec[name]).find((one) => one.name === old.name);
    if (container && isStartedAnew(container, spec, numberAt(terminated, 'exitCode') ?? 0)) return [];
    return [forbiddenField(`status.${statuses}[${index}].state`, 'may not be transitioned to non-terminated state')];
  });
}

function isStartedAnew(container: JsonObject, spec: JsonObject, code: number): boolean {
  const isRuled = eachObject(container.restartPolicyRules).some(({ exitCodes }) => {
    const isListed = arrayAt(exitCodes, 'values').includes(code);
    return stringAt(exitCodes, 'operator') === 'In' ? isListed : isJsonObject(exitCodes) && !isListed;
  });
  const policy = container.restartPolicy ?? spec.restartPolicy;
  return (
    (isRuled && container.restartPolicy !== undefined) || policy === 'Always' || (policy === 'OnFailure' && code !== 0)
  );
}

function hostErrors(status: JsonObject): FieldError[] {
  const [first] = eachObject(status.hostIPs);
  const own = stringAt(first, 'ip');
  const isSame = !first || own === stringAt(status, 'hostIP');
  return isSame ? [] : [invalidValue('status.hostIPs[0].ip', own, 'must be equal to `hostIP`')];
}

function addressErrors(addresses: unknown, former: unknown, field: string): FieldError[] {
  const present = eachObject(former).map((one) => stringAt(one, 'ip'));
  const all = eachObject(addresses).map((one) => stringAt(one, 'ip'));
  return [
    ...all.flatMap((address, index) => validateAddress(`${field}[${index}]`, address, present)),
    ...(all.length > 1 ? familyErrors(all, field) : []),
  ];
}

/** If a pod has several addresses, there must be one per family. */
function familyErrors(all: readonly string[], field: string): FieldError[] {
  const unread = all.findIndex((address) => familyOf(address) === undefined);
  const why = `failed to check for dual stack with error:invalid IP[${unread}]: ${all[unread] ?? ''}`;
  const isDual = unread < 0 && all.length === 2 && new Set(all.map(familyOf)).size === 2;
  const shown = all.map((ip) => ({ IP: ip }));
  return [
    ...(unread < 0 ? [] : [internalProblem(field, why)]),
    ...(isDual ? [] : [invalidValue(field, shown, ONE_A_FAMILY)]),
  ];
}
