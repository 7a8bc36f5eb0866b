import { formatQuantity, parseQuantity } from '../../api/schema/quantity.js';
import { deepEqual } from '../../base/deep-equal.js';
import { dnsLabelErrors } from '../../api/objects/names.js';
import {
  arrayAt,
  eachObject,
  numberAt,
  objectAt,
  stringAt,
  textOf,
  type ApiObject,
  type JsonObject,
} from '../objects/api-object.js';
import type { Strategy } from '../resources/resource.js';
import { addressWarnings, networkWarnings } from './address-warnings.js';
import { podWarnings } from './pod-warnings.js';
import { secretWarnings } from './secret-warnings.js';
import { ingressWarnings, serviceWarnings } from './service-warnings.js';
import { claimSpecWarnings, claimWarnings, persistentVolumeWarnings } from './volume-warnings.js';

type Warnings = NonNullable<Strategy['warnings']>;

const MANY_COMPLETIONS = 100_000;
const MUCH_PARALLELISM = 10_000;
const IN_POD_NAMES = 'Pod names and hostnames';
const CRON_HELP = 'see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details';
const INGRESS_CLASS = 'kubernetes.io/ingress.class';
const SLICES_OF_CONTROLLERS = ['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io'];

/** Returns the warnings of `onSpec` for new objects and changed specs, and for new objects also those of the name. */
const onGeneration =
  (nameUse: string | undefined, onSpec: (spec: JsonObject) => string[]): Warnings =>
  (next, old, subresource) => {
    if (subresource === 'status') return [];
    if (old === undefined)
      return [...(nameUse === undefined ? [] : nameWarnings(next, nameUse)), ...onSpec(objectAt(next, 'spec'))];
    return next.metadata.generation === old.metadata.generation ? [] : onSpec(objectAt(next, 'spec'));
  };

function nameWarnings({ metadata }: ApiObject, use: string): string[] {
  const messages = dnsLabelErrors(metadata.name);
  if (messages.length === 0) return [];
  const detail = `which can result in surprising behavior; a DNS label is recommended: [${messages.join(' ')}]`;
  return [`metadata.name: this is used in ${use}, ${detail}`];
}

function templateWarnings(spec: JsonObject): string[] {
  return podWarnings(objectAt(spec, 'template'), 'spec.template.');
}

function jobWarnings(spec: JsonObject, field: string): string[] {
  const isMuch =
    spec.completionMode === 'Indexed' &&
    (numberAt(spec, 'completions') ?? 0) > MANY_COMPLETIONS &&
    (numberAt(spec, 'parallelism') ?? 0) > MUCH_PARALLELISM;
  const message =
    'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail';
  return [
    ...(isMuch ? [`${field}: ${message}`] : []),
    ...podWarnings(objectAt(spec, 'template'), `${field}.template.`),
  ];
}

const cronJobSpecWarnings = onGeneration(IN_POD_NAMES, (spec) =>
  jobWarnings(objectAt(objectAt(spec, 'jobTemplate'), 'spec'), 'spec.jobTemplate.spec'),
);

const cronJobWarnings: Warnings = (next, old, subresource) => {
  const hasZone = old !== undefined && subresource === '' && stringAt(next.spec, 'schedule').includes('TZ');
  const zone = `cannot use TZ or CRON_TZ in spec.schedule, use timeZone instead, ${CRON_HELP}`;
  return [...cronJobSpecWarnings(next, old, subresource), ...(hasZone ? [zone] : [])];
};

const daemonSetTemplateWarnings = onGeneration(undefined, templateWarnings);

/** For DaemonSets, only changes of the template add warnings. */
const daemonSetWarnings: Warnings = (next, old, subresource) => {
  const isSame = old !== undefined && deepEqual(objectAt(next, 'spec').template, objectAt(old, 'spec').template);
  return isSame ? [] : daemonSetTemplateWarnings(next, old, subresource);
};

const podTemplateWarnings: Warnings = (next, old) =>
  old && old.metadata.generation === next.metadata.generation
    ? []
    : podWarnings(objectAt(next, 'template'), 'template.');

const statefulSetTemplateWarnings = onGeneration(undefined, templateWarnings);

const statefulSetWarnings: Warnings = (next, old, subresource) => {
  if (subresource === 'status') return [];
  const spec = objectAt(next, 'spec');
  const claims = eachObject(spec.volumeClaimTemplates).flatMap((claim, index) => {
    // The real server uses this path for updates.
    const field = `spec.volumeClaimTemplates[${index}]${old === undefined ? '' : '.Spec'}`;
    return claimSpecWarnings(objectAt(claim, 'spec'), field);
  });
  const history =
    'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended';
  return [
    ...statefulSetTemplateWarnings(next, old, subresource),
    ...claims,
    ...((numberAt(spec, 'revisionHistoryLimit') ?? 0) < 0 ? [history] : []),
  ];
};

/** Updates of pods have no warnings, since controllers make most of them. */
const newPodWarnings: Warnings = (next, old) =>
  old === undefined ? [...nameWarnings(next, "the Pod's hostname"), ...podWarnings(next, '')] : [];

const endpointSliceWarnings: Warnings = (next, old) => {
  const isFqdn = old === undefined && next.addressType === 'FQDN';
  const manager = next.metadata.labels?.['endpointslice.kubernetes.io/managed-by'] ?? '';
  const addresses = SLICES_OF_CONTROLLERS.includes(manager) ? [] : eachObject(next.endpoints);
  return [
    ...(isFqdn ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
    ...addresses.flatMap((endpoint, index) =>
      arrayAt(endpoint, 'addresses').flatMap((address, place) =>
        addressWarnings(`endpoints[${index}].addresses[${place}]`, String(address)),
      ),
    ),
  ];
};

const ingressAnnotationWarnings: Warnings = (next, old, subresource) => {
  if (subresource === 'status') return ingressWarnings(next);
  const isOld = next.metadata.annotations?.[INGRESS_CLASS] !== undefined;
  if (old !== undefined || !isOld || objectAt(next, 'spec').ingressClassName !== undefined) return [];
  return [`annotation "${INGRESS_CLASS}" is deprecated, please use 'spec.ingressClassName' instead`];
};

const nodeWarnings: Warnings = ({ spec }, _old, subresource) => {
  if (subresource === 'status') return [];
  const node = objectAt({ spec }, 'spec');
  return [
    ...(node.configSource === undefined ? [] : ['spec.configSource: the feature is removed']),
    ...(stringAt(node, 'externalID') === ''
      ? []
      : ['spec.externalID: this field is deprecated, and is unused by Kubernetes']),
    ...arrayAt(node, 'podCIDRs').flatMap((network, index) =>
      networkWarnings(`spec.podCIDRs[${index}]`, String(network)),
    ),
  ];
};

const LIMITED = ['cpu', 'memory', 'storage', 'ephemeral-storage'];

/** Warns about a new quota with requests that exceed its limits. */
const quotaWarnings: Warnings = ({ spec }, old) => {
  const hard = objectAt(objectAt({ spec }, 'spec'), 'hard');
  if (old !== undefined) return [];
  return LIMITED.flatMap((name) => {
    const isBare = hard[`requests.${name}`] === undefined && (name === 'cpu' || name === 'memory');
    const [request, limit] = [isBare ? name : `requests.${name}`, `limits.${name}`];
    const [low, high] = [parseQuantity(textOf(hard[request] ?? '')), parseQuantity(textOf(hard[limit] ?? ''))];
    return low && high && low.nano > high.nano
      ? [`ResourceQuota ${request} (${formatQuantity(low)}) should be less than ${limit} (${formatQuantity(high)})`]
      : [];
  });
};

const newControllerWarnings = onGeneration(IN_POD_NAMES, templateWarnings);

/** For updates, the real server checks the template of the old object. */
const controllerWarnings: Warnings = (next, old, subresource) =>
  old === undefined || subresource === 'status' || next.metadata.generation === old.metadata.generation
    ? newControllerWarnings(next, old, subresource)
    : templateWarnings(objectAt(old, 'spec'));

const TOKENS_IN_SECRETS =
  'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes';

const driverWarnings: Warnings = ({ spec }, old) => {
  const { tokenRequests, serviceAccountTokenInSecrets } = objectAt({ spec }, 'spec');
  const isSame = old !== undefined && deepEqual(tokenRequests, objectAt(old, 'spec').tokenRequests);
  if (isSame || eachObject(tokenRequests).length === 0 || serviceAccountTokenInSecrets !== undefined) return [];
  return [TOKENS_IN_SECRETS];
};

/** The warnings of built-in kinds: WarningsOnCreate and WarningsOnUpdate. */
export const builtinWarnings: Readonly<Record<string, Warnings>> = {
  pods: newPodWarnings,
  services: serviceWarnings,
  secrets: secretWarnings,
  nodes: nodeWarnings,
  replicationcontrollers: controllerWarnings,
  resourcequotas: quotaWarnings,
  'csidrivers.storage.k8s.io': driverWarnings,
  persistentvolumeclaims: claimWarnings,
  persistentvolumes: persistentVolumeWarnings,
  podtemplates: podTemplateWarnings,
  'deployments.apps': onGeneration(IN_POD_NAMES, templateWarnings),
  'replicasets.apps': onGeneration(IN_POD_NAMES, templateWarnings),
  'daemonsets.apps': daemonSetWarnings,
  'statefulsets.apps': statefulSetWarnings,
  'jobs.batch': onGeneration(IN_POD_NAMES, (spec) => jobWarnings(spec, 'spec')),
  'cronjobs.batch': cronJobWarnings,
  'ingresses.networking.k8s.io': ingressAnnotationWarnings,
  'endpointslices.discovery.k8s.io': endpointSliceWarnings,
};
