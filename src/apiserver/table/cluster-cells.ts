import {
  type ApiObject,
  type JsonObject,
  arrayAt,
  eachObject,
  numberAt,
  objectAt,
  stringAt,
  textOf,
} from '../objects/api-object.js';
import { abridged, countOf, field, selector, spec, specOf, status, statusOf, type Cell, type Cells } from './cell.js';
import { humanDuration } from './human-duration.js';

const roleRef: Cell = ({ roleRef: reference }) => `${stringAt(reference, 'kind')}/${stringAt(reference, 'name')}`;
const subjectsOf =
  (kind: string): Cell =>
  ({ subjects }) =>
    eachObject(subjects)
      .filter((subject) => subject.kind === kind)
      .map(({ name, namespace }) => (kind === 'ServiceAccount' ? `${textOf(namespace ?? '')}/${textOf(name)}` : name))
      .join(', ');
const BINDING: Cells = {
  Role: roleRef,
  Users: subjectsOf('User'),
  Groups: subjectsOf('Group'),
  ServiceAccounts: subjectsOf('ServiceAccount'),
};

const paramKind: Cell = (object) => {
  const { apiVersion, kind } = objectAt(specOf(object), 'paramKind');
  return kind === undefined ? '<unset>' : `${String(apiVersion)}/${textOf(kind)}`;
};
const POLICY_BINDING: Cells = {
  PolicyName: spec('policyName', ''),
  ParamRef: (object) => {
    const { namespace, name } = objectAt(specOf(object), 'paramRef');
    return name === undefined
      ? '<unset>'
      : [namespace, name].flatMap((part) => (part === undefined ? [] : [textOf(part)])).join('/');
  },
};

const csrCondition: Cell = (object) => {
  const types = eachObject(statusOf(object).conditions).map(({ type }) => String(type));
  const decided = ['Denied', 'Approved'].find((type) => types.includes(type)) ?? 'Pending';
  const isIssued = statusOf(object).certificate !== undefined;
  return `${decided}${types.includes('Failed') ? ',Failed' : ''}${isIssued ? ',Issued' : ''}`;
};

const isDefault = (object: ApiObject): boolean =>
  object.metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true';

const limited = (object: ApiObject, name: string): unknown =>
  objectAt(objectAt(objectAt(specOf(object), 'limited'), 'limitResponse'), 'queuing')[name] ?? '<none>';

/** The cells of kinds outside the core group, except workloads. */
export const CLUSTER_CELLS: Readonly<Record<string, Cells>> = {
  ComponentStatus: {
    Status: (object) => {
      const { status } = healthOf(object);
      return status === undefined ? 'Unknown' : status === 'True' ? 'Healthy' : 'Unhealthy';
    },
    Message: (object) => stringAt(healthOf(object), 'message'),
    Error: (object) => stringAt(healthOf(object), 'error'),
  },
  'Lease.coordination.k8s.io': { Holder: spec('holderIdentity', '') },
  'RuntimeClass.node.k8s.io': { Handler: field('handler') },
  'RoleBinding.rbac.authorization.k8s.io': BINDING,
  'ClusterRoleBinding.rbac.authorization.k8s.io': BINDING,
  'PriorityClass.scheduling.k8s.io': {
    Value: field('value', 0),
    'Global-Default': field('globalDefault', false),
    PreemptionPolicy: field('preemptionPolicy', null),
  },
  'APIService.apiregistration.k8s.io': {
    Service: (object) => {
      const { namespace, name } = objectAt(specOf(object), 'service');
      return name === undefined ? 'Local' : `${String(namespace)}/${textOf(name)}`;
    },
    Available: (object) => {
      const available = eachObject(statusOf(object).conditions).find(({ type }) => type === 'Available');
      if (available === undefined) return 'Unknown';
      return available.status === 'True' ? 'True' : `${String(available.status)} (${String(available.reason)})`;
    },
  },
  'CertificateSigningRequest.certificates.k8s.io': {
    SignerName: spec('signerName', '<none>'),
    Requestor: spec('username', ''),
    RequestedDuration: (object) => {
      const seconds = numberAt(specOf(object), 'expirationSeconds');
      return seconds === undefined ? '<none>' : humanDuration(seconds * 1000);
    },
    Condition: csrCondition,
  },
  'IngressClass.networking.k8s.io': {
    Controller: spec('controller', ''),
    Parameters: (object) => {
      const { apiGroup, kind, name } = objectAt(specOf(object), 'parameters');
      if (name === undefined) return '<none>';
      return `${String(kind)}${apiGroup === undefined ? '' : `.${textOf(apiGroup)}`}/${textOf(name)}`;
    },
  },
  'Ingress.networking.k8s.io': {
    Class: spec('ingressClassName', '<none>'),
    Hosts: (object) => {
      const hosts = eachObject(specOf(object).rules).flatMap(({ host }) => (host === undefined ? [] : [textOf(host)]));
      return hosts.length === 0 ? '*' : abridged(hosts, 3);
    },
    Address: (object) =>
      eachObject(objectAt(statusOf(object), 'loadBalancer').ingress)
        .map(({ ip, hostname }) => textOf(ip ?? hostname ?? ''))
        .join(','),
    Ports: (object) => (arrayAt(specOf(object), 'tls').length > 0 ? '80, 443' : '80'),
  },
  'IPAddress.networking.k8s.io': {
    ParentRef: (object) => {
      const { group, resource, namespace, name } = objectAt(specOf(object), 'parentRef');
      return [group, resource, namespace, name].filter((part) => part !== undefined && part !== '').join('/');
    },
  },
  'NetworkPolicy.networking.k8s.io': { 'Pod-Selector': selector('podSelector') },
  'ServiceCIDR.networking.k8s.io': { CIDRs: (object) => arrayAt(specOf(object), 'cidrs').join(',') },
  'EndpointSlice.discovery.k8s.io': {
    AddressType: field('addressType'),
    Ports: ({ ports }) => {
      const numbers = eachObject(ports).map(({ port, name }) => textOf(port ?? name ?? '*'));
      return numbers.length === 0 ? '<unset>' : abridged(numbers, 3);
    },
    Endpoints: ({ endpoints }) => {
      const addresses = eachObject(endpoints).flatMap((endpoint) => arrayAt(endpoint, 'addresses').map(String));
      return addresses.length === 0 ? '<unset>' : abridged(addresses, 3);
    },
  },
  'CSIDriver.storage.k8s.io': {
    AttachRequired: spec('attachRequired', true),
    PodInfoOnMount: spec('podInfoOnMount', false),
    StorageCapacity: spec('storageCapacity', false),
    TokenRequests: (object) => {
      const audiences = eachObject(specOf(object).tokenRequests).map(({ audience }) => audience);
      return audiences.length === 0 ? '<unset>' : audiences.join(',');
    },
    RequiresRepublish: spec('requiresRepublish', false),
    Modes: (object) => arrayAt(specOf(object), 'volumeLifecycleModes').join(',') || '<none>',
  },
  'CSINode.storage.k8s.io': { Drivers: (object) => arrayAt(specOf(object), 'drivers').length },
  'StorageClass.storage.k8s.io': {
    Name: (object) => `${object.metadata.name}${isDefault(object) ? ' (default)' : ''}`,
    Provisioner: field('provisioner'),
    ReclaimPolicy: field('reclaimPolicy', 'Delete'),
    VolumeBindingMode: field('volumeBindingMode', 'Immediate'),
    AllowVolumeExpansion: field('allowVolumeExpansion', false),
  },
  'VolumeAttachment.storage.k8s.io': {
    Attacher: spec('attacher', ''),
    PV: (object) => stringAt(specOf(object).source, 'persistentVolumeName'),
    Node: spec('nodeName', ''),
    Attached: status('attached', false),
  },
  'VolumeAttributesClass.storage.k8s.io': { DriverName: field('driverName') },
  'MutatingAdmissionPolicy.admissionregistration.k8s.io': {
    Mutations: (object) => arrayAt(specOf(object), 'mutations').length,
    ParamKind: paramKind,
  },
  'ValidatingAdmissionPolicy.admissionregistration.k8s.io': {
    Validations: (object) => arrayAt(specOf(object), 'validations').length,
    ParamKind: paramKind,
  },
  'MutatingAdmissionPolicyBinding.admissionregistration.k8s.io': POLICY_BINDING,
  'ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io': POLICY_BINDING,
  'MutatingWebhookConfiguration.admissionregistration.k8s.io': { Webhooks: countOf('webhooks') },
  'ValidatingWebhookConfiguration.admissionregistration.k8s.io': { Webhooks: countOf('webhooks') },
  'ResourceClaim.resource.k8s.io': {
    State: claimState,
  },
  'ResourceSlice.resource.k8s.io': {
    Node: spec('nodeName', '<none>'),
    Driver: spec('driver', ''),
    Pool: (object) => stringAt(specOf(object).pool, 'name'),
  },
  'FlowSchema.flowcontrol.apiserver.k8s.io': {
    PriorityLevel: (object) => stringAt(specOf(object).priorityLevelConfiguration, 'name') || '<none>',
    MatchingPrecedence: spec('matchingPrecedence'),
    DistinguisherMethod: (object) => stringAt(specOf(object).distinguisherMethod, 'type') || '<none>',
    MissingPL: (object) =>
      eachObject(statusOf(object).conditions).find(({ type }) => type === 'Dangling')?.status ?? '?',
  },
  'PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io': {
    Type: spec('type', ''),
    NominalConcurrencyShares: (object) => objectAt(specOf(object), 'limited').nominalConcurrencyShares ?? '<none>',
    Queues: (object) => limited(object, 'queues'),
    HandSize: (object) => limited(object, 'handSize'),
    QueueLengthLimit: (object) => limited(object, 'queueLengthLimit'),
  },
};

function healthOf({ conditions }: ApiObject): JsonObject {
  return eachObject(conditions).find(({ type }) => type === 'Healthy') ?? {};
}

function claimState({ metadata, status }: ApiObject): string {
  const { allocation, reservedFor } = objectAt({ status }, 'status');
  const isGoing = metadata.deletionTimestamp !== undefined;
  const isReserved = allocation !== undefined && eachObject(reservedFor).length > 0;
  return [
    ...(isGoing ? ['deleted'] : []),
    ...(allocation === undefined && !isGoing ? ['pending'] : []),
    ...(allocation === undefined ? [] : ['allocated']),
    ...(isReserved ? ['reserved'] : []),
  ].join(',');
}
