import { goQuoted } from '../../base/go-quoted.js';
import {
  arrayAt,
  eachObject,
  isJsonObject,
  numberAt,
  objectAt,
  stringAt,
  type JsonObject,
} from '../objects/api-object.js';
import { addressWarnings } from './address-warnings.js';
import { nodeAffinityWarnings, nodeLabelWarnings, nodeSelectorWarnings } from './node-label-warnings.js';
import { pathWarnings } from './path-warnings.js';
import { portWarnings, type PlacedContainer } from './port-warnings.js';
import { byteWarnings } from './quantity-warnings.js';
import { volumeWarnings } from './volume-warnings.js';

const BYTES = ['memory', 'ephemeral-storage'];
const NO_MATCH = 'a null labelSelector results in matching no pod';
const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';
const ANNOTATIONS: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod': 'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
};
const APP_ARMOR = 'container.apparmor.security.beta.kubernetes.io/';
const DEPRECATED_APP_ARMOR = 'deprecated since v1.30; use the "appArmorProfile" field instead';
const SECCOMP_POD = 'seccomp.security.alpha.kubernetes.io/pod';
const SECCOMP_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/';
const SECCOMP = 'non-functional in v1.27+; use the "seccompProfile" field instead';

/**
 * Returns warnings for a pod, or for a template at `field`, which ends with a dot: warningsForPodSpecAndMeta of
 * pkg/api/pod.
 */
export function podWarnings(template: JsonObject, field: string): string[] {
  const [spec, path] = [objectAt(template, 'spec'), `${field}spec`];
  const annotations = objectAt(objectAt(template, 'metadata'), 'annotations');
  const containers = containersOf(spec, path);
  const affinity = objectAt(spec, 'affinity');
  return [
    ...nodeSelectorWarnings(objectAt(spec, 'nodeSelector'), `${path}.nodeSelector`),
    ...nodeAffinityWarnings(objectAt(affinity, 'nodeAffinity'), `${path}.affinity.nodeAffinity`),
    ...spreadWarnings(spec, path),
    ...annotationWarnings(annotations, ANNOTATIONS, `${field}metadata.annotations`),
    ...volumeWarnings(spec, path),
    ...pathWarnings(spec),
    ...repeated(spec, `${path}.hostAliases`, 'hostAliases', 'ip'),
    ...repeated(spec, `${path}.imagePullSecrets`, 'imagePullSecrets', 'name'),
    ...namelessSecretWarnings(spec, path),
    ...byteWarnings(objectAt(spec, 'overhead'), `${path}.overhead`, BYTES),
    ...seccompWarnings(spec, SECCOMP_POD, annotations, field),
    ...containers.flatMap((placed) => containerWarnings(placed, annotations, field, spec)),
    ...portWarnings(containers),
    ...((numberAt(spec, 'terminationGracePeriodSeconds') ?? 0) < 0
      ? [`${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`]
      : []),
    ...['podAffinity', 'podAntiAffinity'].flatMap((name) =>
      podAffinityWarnings(objectAt(affinity, name), `${path}.affinity.${name}`),
    ),
    ...writtenAddressWarnings(spec, path),
  ];
}

function annotationWarnings(
  annotations: JsonObject,
  deprecated: Readonly<Record<string, string>>,
  field: string,
): string[] {
  return Object.entries(deprecated).flatMap(([key, message]) =>
    annotations[key] === undefined ? [] : [`${field}[${key}]: ${message}`],
  );
}

function containersOf(spec: JsonObject, field: string): PlacedContainer[] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((name) =>
    eachObject(spec[name]).map((container, index) => ({ container, field: `${field}.${name}[${index}]` })),
  );
}

function spreadWarnings(spec: JsonObject, field: string): string[] {
  return eachObject(spec.topologySpreadConstraints).flatMap((constraint, index) => {
    const path = `${field}.topologySpreadConstraints[${index}]`;
    return [
      ...nodeLabelWarnings(stringAt(constraint, 'topologyKey'), `${path}.topologyKey`),
      ...(isJsonObject(constraint.labelSelector) ? [] : [`${path}.labelSelector: ${NO_MATCH}`]),
    ];
  });
}

function repeated(spec: JsonObject, field: string, list: string, key: string): string[] {
  const seen = new Set<string>();
  return eachObject(spec[list]).flatMap((item, index) => {
    const value = stringAt(item, key);
    if (seen.has(value)) return [`${field}[${index}].${key}: duplicate ${key} ${goQuoted(value)}`];
    seen.add(value);
    return [];
  });
}

function namelessSecretWarnings(spec: JsonObject, field: string): string[] {
  return eachObject(spec.imagePullSecrets).flatMap((item, index) =>
    stringAt(item, 'name') === '' ? [`${field}.imagePullSecrets[${index}].name: invalid empty name ""`] : [],
  );
}

/** Returns warnings for annotations that were replaced by a field. */
function seccompWarnings(owner: JsonObject, key: string, annotations: JsonObject, field: string): string[] {
  const hasProfile = isJsonObject(objectAt(owner, 'securityContext').seccompProfile);
  return hasProfile ? [] : annotationWarnings(annotations, { [key]: SECCOMP }, `${field}metadata.annotations`);
}

/** Returns warnings for AppArmor annotations of templates; those of pods are converted to fields. */
function appArmorWarnings(container: JsonObject, annotations: JsonObject, root: string, spec: JsonObject): string[] {
  const key = `${APP_ARMOR}${stringAt(container, 'name')}`;
  const annotation = stringAt(annotations, key);
  const { appArmorProfile: own } = objectAt(container, 'securityContext');
  if (root === '' || annotations[key] === undefined || own !== undefined) return [];
  const { type, localhostProfile } = objectAt(objectAt(spec, 'securityContext'), 'appArmorProfile');
  const known: Record<string, string> = { Unconfined: 'unconfined', RuntimeDefault: 'runtime/default' };
  const asAnnotated = type === 'Localhost' ? `localhost/${String(localhostProfile)}` : known[String(type)];
  return asAnnotated === annotation ? [] : [`${root}metadata.annotations[${key}]: ${DEPRECATED_APP_ARMOR}`];
}

function containerWarnings(
  { container, field }: PlacedContainer,
  annotations: JsonObject,
  root: string,
  spec: JsonObject,
): string[] {
  const resources = objectAt(container, 'resources');
  return [
    ...seccompWarnings(container, `${SECCOMP_CONTAINER}${stringAt(container, 'name')}`, annotations, root),
    ...appArmorWarnings(container, annotations, root, spec),
    ...BYTES.flatMap((name) =>
      ['limits', 'requests'].flatMap((list) =>
        byteWarnings(objectAt(resources, list), `${field}.resources.${list}`, [name]),
      ),
    ),
    ...envWarnings(container, field),
  ];
}

function envWarnings(container: JsonObject, field: string): string[] {
  const seen = new Set<string>();
  return eachObject(container.env).flatMap((variable, index) => {
    const [name, value] = [stringAt(variable, 'name'), stringAt(variable, 'value')];
    const reference = `$(${name})`;
    const isKept = !isJsonObject(variable.valueFrom) && value !== reference && value.includes(reference);
    if (seen.has(name) && !isKept)
      return [`${field}.env[${index}]: hides previous definition of "${name}", which may be dropped when using apply`];
    seen.add(name);
    return [];
  });
}

function podAffinityWarnings(affinity: JsonObject, field: string): string[] {
  const preferred = eachObject(affinity[PREFERRED]).map((term) => objectAt(term, 'podAffinityTerm'));
  const warningsOf = (terms: readonly JsonObject[], path: (index: number) => string): string[] =>
    terms.flatMap((term, index) => (isJsonObject(term.labelSelector) ? [] : [`${path(index)}: ${NO_MATCH}`]));
  return [
    ...warningsOf(eachObject(affinity[REQUIRED]), (index) => `${field}.${REQUIRED}[${index}].labelSelector`),
    ...warningsOf(preferred, (index) => `${field}.${PREFERRED}[${index}].podAffinityTerm.labelSelector`),
  ];
}

function writtenAddressWarnings(spec: JsonObject, field: string): string[] {
  return [
    ...arrayAt(objectAt(spec, 'dnsConfig'), 'nameservers').flatMap((address, index) =>
      addressWarnings(`${field}.dnsConfig.nameservers[${index}]`, String(address)),
    ),
    ...eachObject(spec.hostAliases).flatMap((alias, index) =>
      addressWarnings(`${field}.hostAliases[${index}].ip`, stringAt(alias, 'ip')),
    ),
  ];
}
