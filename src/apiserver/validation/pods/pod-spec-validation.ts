import { forbiddenField, invalidValue, notSupported, required, type FieldError } from '../../../api/field-error.js';
import { isJsonObject, numberAt, objectAt, stringAt, type JsonObject } from '../../object.js';
import { eachObject } from '../../builtin/set-default.js';
import { validateContainers, validateInitContainers, userErrors } from './container-validation.js';
import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkOneOf,
  checkOptional,
  checkQualifiedName,
  checkRange,
  uniqueness,
} from '../fields/field-checks.js';
import { checkAddress } from '../fields/ip-address.js';
import { validateLabelSelector } from '../fields/label-selector-validation.js';
import { labelValueErrors } from '../../../api/names.js';
import { validateAnnotations, validateLabels } from '../fields/object-meta.js';
import { validateEphemeralContainers } from './ephemeral-container-validation.js';
import { validateVolumes } from './volume-validation.js';

const MAX_SECONDS = 2147483647;
const RESTART_POLICIES = ['Always', 'OnFailure', 'Never'];
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];
const ANY_KEY = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';

/** Problems of a pod template. */
export function validatePodTemplate(template: JsonObject, field: string): FieldError[] {
  const metadata = objectAt(template, 'metadata');
  const spec = objectAt(template, 'spec');
  return [
    ...validateLabels(objectAt(metadata, 'labels') as Record<string, string>, `${field}.labels`),
    ...validateAnnotations(objectAt(metadata, 'annotations') as Record<string, string>, `${field}.annotations`),
    ...validatePodSpec(spec, `${field}.spec`),
    ...(eachObject(spec.ephemeralContainers).length > 0
      ? [forbiddenField(`${field}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template')]
      : []),
  ];
}

/** Problems of a pod's spec, wherever it stands: core's ValidatePodSpec. */
export function validatePodSpec(spec: JsonObject, field: string): FieldError[] {
  const { errors, sound } = validateVolumes(spec.volumes, `${field}.volumes`);
  const at = (name: string): string => `${field}.${name}`;
  const text = (name: string): string => stringAt(spec, name);
  return [
    ...errors,
    ...validateContainers(spec, at('containers'), sound),
    ...validateInitContainers(spec, at('initContainers'), sound),
    ...validateEphemeralContainers(spec, at('ephemeralContainers'), sound),
    ...hostNetworkErrors(spec, at('containers')),
    ...checkOneOf(at('restartPolicy'), spec.restartPolicy, RESTART_POLICIES),
    ...checkOneOf(at('dnsPolicy'), spec.dnsPolicy, DNS_POLICIES),
    ...validateLabels(objectAt(spec, 'nodeSelector') as Record<string, string>, at('nodeSelector')),
    ...securityErrors(objectAt(spec, 'securityContext'), at('securityContext')),
    ...eachObject(spec.readinessGates).flatMap((gate, index) =>
      checkQualifiedName(`${at('readinessGates')}[${index}].conditionType`, stringAt(gate, 'conditionType')),
    ),
    ...schedulingGateErrors(spec, at('schedulingGates')),
    ...spreadErrors(spec, at('topologySpreadConstraints')),
    ...checkOptional(at('serviceAccountName'), text('serviceAccountName'), checkDnsSubdomain),
    ...checkOptional(at('nodeName'), text('nodeName'), checkDnsSubdomain),
    ...checkRange(at('activeDeadlineSeconds'), numberAt(spec, 'activeDeadlineSeconds'), 1, MAX_SECONDS),
    ...checkOptional(at('hostname'), text('hostname'), checkDnsLabel),
    ...checkOptional(at('subdomain'), text('subdomain'), checkDnsLabel),
    ...validateTolerations(spec, at('tolerations')),
    ...eachObject(spec.hostAliases).flatMap((alias, index) =>
      checkAddress(`${at('hostAliases')}[${index}].ip`, stringAt(alias, 'ip')),
    ),
    ...checkOptional(at('priorityClassName'), text('priorityClassName'), checkDnsSubdomain),
    ...checkOptional(at('runtimeClassName'), text('runtimeClassName'), checkDnsSubdomain),
    ...checkOptional(at('preemptionPolicy'), text('preemptionPolicy'), (path, policy) =>
      checkOneOf(path, policy, ['PreemptLowerPriority', 'Never']),
    ),
  ];
}

function hostNetworkErrors({ hostNetwork, containers }: JsonObject, field: string): FieldError[] {
  if (hostNetwork !== true) return [];
  return eachObject(containers).flatMap((container, index) =>
    eachObject(container.ports).flatMap((port, place) => {
      const host = numberAt(port, 'hostPort') ?? 0;
      if (host === 0 || host === port.containerPort) return [];
      const detail = 'must match `containerPort` when `hostNetwork` is true';
      return [invalidValue(`${field}[${index}].ports[${place}].hostPort`, host, detail)];
    }),
  );
}

function securityErrors(context: JsonObject, field: string): FieldError[] {
  return [
    ...checkRange(`${field}.fsGroup`, numberAt(context, 'fsGroup'), 0, MAX_SECONDS),
    ...userErrors(context, field),
  ];
}

function schedulingGateErrors({ schedulingGates }: JsonObject, field: string): FieldError[] {
  const unique = uniqueness();
  return eachObject(schedulingGates).flatMap((gate, index) => {
    const [path, name] = [`${field}[${index}]`, stringAt(gate, 'name')];
    return [...checkQualifiedName(path, name), ...unique(path, name)];
  });
}

function spreadErrors({ topologySpreadConstraints }: JsonObject, field: string): FieldError[] {
  return eachObject(topologySpreadConstraints).flatMap((constraint, index) => {
    const path = `${field}[${index}]`;
    const skew = numberAt(constraint, 'maxSkew') ?? 0;
    const action = stringAt(constraint, 'whenUnsatisfiable');
    return [
      ...(skew > 0 ? [] : [invalidValue(`${path}.maxSkew`, skew, 'must be greater than 0')]),
      ...(stringAt(constraint, 'topologyKey') === '' ? [required(`${path}.topologyKey`, 'can not be empty')] : []),
      ...checkOneOf(`${path}.whenUnsatisfiable`, action, ['DoNotSchedule', 'ScheduleAnyway']),
      ...(isJsonObject(constraint.labelSelector)
        ? validateLabelSelector(constraint.labelSelector, `${path}.labelSelector`)
        : []),
    ];
  });
}

/** Problems of the tolerations of a pod's spec. */
export function validateTolerations({ tolerations }: JsonObject, field: string): FieldError[] {
  return eachObject(tolerations).flatMap((toleration, index) => {
    const path = `${field}[${index}]`;
    const [key, effect, operator] = ['key', 'effect', 'operator'].map((name) => stringAt(toleration, name));
    const isTimed = toleration.tolerationSeconds !== undefined;
    return [
      ...checkOptional(`${path}.key`, key ?? '', checkQualifiedName),
      ...(key === '' && operator !== 'Exists' ? [invalidValue(`${path}.operator`, operator, ANY_KEY)] : []),
      ...(isTimed && effect !== 'NoExecute'
        ? [invalidValue(`${path}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")]
        : []),
      ...operatorErrors(operator ?? '', stringAt(toleration, 'value'), `${path}.operator`),
      ...checkOptional(`${path}.effect`, effect ?? '', (where, value) => checkOneOf(where, value, EFFECTS)),
    ];
  });
}

function operatorErrors(operator: string, value: string, field: string): FieldError[] {
  if (operator === '' || operator === 'Equal') {
    const messages = labelValueErrors(value);
    return messages.length === 0 ? [] : [invalidValue(field, value, messages.join(';'))];
  }
  if (operator === 'Exists')
    return value === '' ? [] : [invalidValue(field, value, "value must be empty when `operator` is 'Exists'")];
  const supported = operator === 'Lt' || operator === 'Gt' ? ['Equal', 'Exists', 'Lt', 'Gt'] : ['Equal', 'Exists'];
  return [notSupported(field, operator, supported)];
}
