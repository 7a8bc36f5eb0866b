import {
  forbiddenField,
  invalidValue,
  notSupported,
  tooLong,
  type FieldError,
} from '../../../api/protocol/field-error.js';
import { type ApiObject, type JsonObject, eachObject, numberAt, objectAt, stringAt } from '../../objects/api-object.js';
import { validateAffinity } from './affinity-validation.js';
import { validateContainers, validateInitContainers } from './containers/container-validation.js';
import {
  checkDnsLabel,
  checkDnsSubdomain,
  validateOneOf,
  validateOptional,
  checkQualifiedName,
  validateRange,
  uniqueness,
} from '../fields/field-checks.js';
import { labelValueErrors } from '../../../api/objects/names.js';
import { validateAnnotations, validateLabels } from '../fields/object-meta.js';
import { validateEnvFiles } from './containers/env-validation.js';
import { validateEphemeralContainers } from './containers/ephemeral-container-validation.js';
import { validatePodAnnotations, validateProfilesAlike } from './pod-annotation-validation.js';
import { validateDnsConfig, validateHostAliases } from './pod-dns-validation.js';
import { validateResourceClaims } from './resource-claim-validation.js';
import { validateContainerResources, validatePodLevelResources } from './containers/resources-validation.js';
import { validateHostUsers, validatePodSecurity } from './containers/security-context-validation.js';
import { validateTopologySpread } from './topology-spread-validation.js';
import { validateVolumes } from './volumes/volume-validation.js';
import { validateHostProcess, validateOs } from './windows-validation.js';

const MAX_HOSTNAME = 64;
const MAX_SECONDS = 2147483647;
const RESTART_POLICIES = ['Always', 'OnFailure', 'Never'];
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];
const ANY_KEY = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';

/** Returns the errors of a pod template. */
export function validatePodTemplate(template: JsonObject, field: string): FieldError[] {
  const metadata = objectAt(template, 'metadata');
  const spec = objectAt(template, 'spec');
  const annotations = objectAt(metadata, 'annotations') as Record<string, string>;
  return [
    ...validateLabels(objectAt(metadata, 'labels') as Record<string, string>, `${field}.labels`),
    ...validateAnnotations(annotations, `${field}.annotations`),
    ...validatePodAnnotations(annotations, spec, `${field}.annotations`),
    ...validatePodSpec(spec, `${field}.spec`),
    ...validateProfilesAlike(annotations, spec, `${field}.spec`),
    ...(eachObject(spec.ephemeralContainers).length > 0
      ? [forbiddenField(`${field}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template')]
      : []),
  ];
}

/** Returns the errors of a pod's spec, in pods and templates: core's ValidatePodSpec. */
export function validatePodSpec(spec: JsonObject, field: string, pod?: ApiObject): FieldError[] {
  const at = (name: string): string => `${field}.${name}`;
  const owner = { isPod: pod !== undefined, name: stringAt(pod?.metadata, 'name') };
  const { errors, sound } = validateVolumes(spec.volumes, at('volumes'), owner);
  const scope = { spec, volumes: sound };
  return [
    ...errors,
    ...validateResourceClaims(spec.resourceClaims, at('resourceClaims')),
    ...validateContainers(scope, at('containers')),
    ...validateInitContainers(scope, at('initContainers')),
    ...validateEphemeralContainers(scope, at('ephemeralContainers')),
    ...validatePodLevelResources(spec, field),
    ...hostNetworkErrors(spec, at('containers')),
    ...validateOneOf(at('restartPolicy'), spec.restartPolicy, RESTART_POLICIES),
    ...validateOneOf(at('dnsPolicy'), spec.dnsPolicy, DNS_POLICIES),
    ...validateLabels(objectAt(spec, 'nodeSelector') as Record<string, string>, at('nodeSelector')),
    ...validatePodSecurity(spec, at('securityContext')),
    ...validateAffinity(objectAt(spec, 'affinity'), at('affinity')),
    ...validateDnsConfig(spec, at('dnsConfig')),
    ...eachObject(spec.readinessGates).flatMap((gate, index) =>
      checkQualifiedName(`${at('readinessGates')}[${index}].conditionType`, stringAt(gate, 'conditionType')),
    ),
    ...schedulingGateErrors(spec, at('schedulingGates')),
    ...validateTopologySpread(spec.topologySpreadConstraints, at('topologySpreadConstraints')),
    ...validateHostProcess(spec, field),
    ...validateHostUsers(spec, field),
    ...hostnameErrors(spec, at('hostnameOverride')),
    ...nameErrors(spec, field),
    ...validateOs(spec, field),
    ...validateEnvFiles(spec, field),
  ];
}

/** Checks the fields that hold names of other objects, in the server's order. */
function nameErrors(spec: JsonObject, field: string): FieldError[] {
  const at = (name: string): string => `${field}.${name}`;
  const text = (name: string): string => stringAt(spec, name);
  return [
    ...validateOptional(at('serviceAccountName'), text('serviceAccountName'), checkDnsSubdomain),
    ...validateOptional(at('nodeName'), text('nodeName'), checkDnsSubdomain),
    ...validateRange(at('activeDeadlineSeconds'), numberAt(spec, 'activeDeadlineSeconds'), 1, MAX_SECONDS),
    ...validateOptional(at('hostname'), text('hostname'), checkDnsLabel),
    ...validateOptional(at('subdomain'), text('subdomain'), checkDnsLabel),
    ...validateTolerations(spec, at('tolerations')),
    ...validateHostAliases(spec.hostAliases, at('hostAliases')),
    ...validateOptional(at('priorityClassName'), text('priorityClassName'), checkDnsSubdomain),
    ...(spec.runtimeClassName === undefined ? [] : checkDnsSubdomain(at('runtimeClassName'), text('runtimeClassName'))),
    ...(spec.preemptionPolicy === undefined
      ? []
      : validateOneOf(at('preemptionPolicy'), spec.preemptionPolicy, ['PreemptLowerPriority', 'Never'])),
    ...validateContainerResources({ limits: spec.overhead }, at('overhead'), []),
  ];
}

function hostnameErrors(spec: JsonObject, field: string): FieldError[] {
  const { hostnameOverride: name } = spec;
  if (typeof name !== 'string') return [];
  return [
    ...(spec.setHostnameAsFQDN === true
      ? [forbiddenField(field, 'may not be specified when setHostnameAsFQDN is true')]
      : []),
    ...(spec.hostNetwork === true ? [forbiddenField(field, 'may not be specified when hostNetwork is true')] : []),
    ...(name.length > MAX_HOSTNAME ? [tooLong(field, MAX_HOSTNAME)] : []),
    ...checkDnsSubdomain(field, name),
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

function schedulingGateErrors({ schedulingGates }: JsonObject, field: string): FieldError[] {
  const unique = uniqueness();
  return eachObject(schedulingGates).flatMap((gate, index) => {
    const [path, name] = [`${field}[${index}]`, stringAt(gate, 'name')];
    return [...checkQualifiedName(path, name), ...unique(path, name)];
  });
}

/** Returns the errors of the tolerations of a pod's spec. */
export function validateTolerations({ tolerations }: JsonObject, field: string): FieldError[] {
  return eachObject(tolerations).flatMap((toleration, index) => {
    const path = `${field}[${index}]`;
    const [key, effect, operator] = ['key', 'effect', 'operator'].map((name) => stringAt(toleration, name));
    const isTimed = toleration.tolerationSeconds !== undefined;
    return [
      ...validateOptional(`${path}.key`, key ?? '', checkQualifiedName),
      ...(key === '' && operator !== 'Exists' ? [invalidValue(`${path}.operator`, operator, ANY_KEY)] : []),
      ...(isTimed && effect !== 'NoExecute'
        ? [invalidValue(`${path}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")]
        : []),
      ...operatorErrors(operator ?? '', stringAt(toleration, 'value'), `${path}.operator`),
      ...validateOptional(`${path}.effect`, effect ?? '', (where, value) => validateOneOf(where, value, EFFECTS)),
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
