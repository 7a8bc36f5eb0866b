import { ownMember } from '../../base/own-member.js';
import {
  type ApiObject,
  type JsonObject,
  arrayAt,
  eachObject,
  isJsonObject,
  numberAt,
  objectAt,
  stringAt,
  textOf,
} from '../objects/api-object.js';
import { abridged, field, selector, spec, specOf, status, statusOf, type Cell, type Cells } from './cell.js';
import { humanAge } from './human-duration.js';

const ROLE_PREFIX = 'node-role.kubernetes.io/';
const ACCESS_MODES: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

const roles: Cell = ({ metadata }) =>
  Object.keys(metadata.labels ?? {})
    .filter((key) => key.startsWith(ROLE_PREFIX) && key.length > ROLE_PREFIX.length)
    .map((key) => key.slice(ROLE_PREFIX.length))
    .sort()
    .join(',') || '<none>';

const nodeStatus: Cell = (node) => {
  const ready = eachObject(statusOf(node).conditions).find(({ type }) => type === 'Ready');
  const state = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return specOf(node).unschedulable === true ? `${state},SchedulingDisabled` : state;
};

const nodeInfo =
  (name: string): Cell =>
  (node) =>
    stringAt(statusOf(node).nodeInfo, name) || '<unknown>';

const nodeAddress =
  (wanted: string): Cell =>
  (node) =>
    eachObject(statusOf(node).addresses).find(({ type }) => type === wanted)?.address ?? '<none>';

const servicePorts: Cell = (service) =>
  eachObject(specOf(service).ports)
    .map(({ port, nodePort, protocol }) =>
      nodePort === undefined
        ? `${String(port)}/${String(protocol)}`
        : `${String(port)}:${textOf(nodePort)}/${String(protocol)}`,
    )
    .join(',') || '<none>';

const externalAddress: Cell = (service) => {
  const { type, externalName = '' } = specOf(service);
  if (type === 'ExternalName') return externalName;
  const own = arrayAt(specOf(service), 'externalIPs').map(String);
  if (type !== 'LoadBalancer') return own.join(',') || '<none>';
  const ingress = eachObject(objectAt(statusOf(service), 'loadBalancer').ingress);
  const balanced = new Set(ingress.map((entry) => stringAt(entry, 'ip') || stringAt(entry, 'hostname')));
  return [...balanced, ...own].join(',') || '<pending>';
};

/** Returns whether a claim has a volume name. */
const isPlaced = (claim: ApiObject): boolean => stringAt(claim.spec, 'volumeName') !== '';

const endpoints: Cell = ({ subsets }) =>
  abridged(
    eachObject(subsets).flatMap(({ addresses, ports }) =>
      eachObject(addresses).flatMap(({ ip }) =>
        ports === undefined ? [String(ip)] : eachObject(ports).map(({ port }) => `${String(ip)}:${String(port)}`),
      ),
    ),
    3,
  );

const size = (object: ApiObject, name: string): number => Object.keys(objectAt(object, name)).length;

const accessModes = (modes: unknown[]): string =>
  modes.map((mode) => ownMember(ACCESS_MODES, String(mode)) ?? '').join(',');

/** Returns the involved object of an event, under the field name of the core group or of events.k8s.io. */
const involved = ({ involvedObject, regarding }: ApiObject): JsonObject =>
  objectAt({ object: involvedObject ?? regarding }, 'object');
const source = (event: ApiObject): JsonObject => objectAt({ source: event.source ?? event.deprecatedSource }, 'source');
const firstTimestamp = (event: ApiObject): string =>
  stringAt(event, 'firstTimestamp') || stringAt(event, 'deprecatedFirstTimestamp') || stringAt(event, 'eventTime');
/** Returns when an event was last seen; for a series, its own time or unknown. */
const lastTimestamp = (event: ApiObject): string =>
  isJsonObject(event.series)
    ? stringAt(event.series, 'lastObservedTime')
    : stringAt(event, 'lastTimestamp') || stringAt(event, 'deprecatedLastTimestamp') || firstTimestamp(event);

const EVENT: Cells = {
  'Last Seen': (event, now) => humanAge(lastTimestamp(event), now),
  Type: field('type'),
  Reason: field('reason'),
  Object: (event) => {
    const [kind, name] = [stringAt(involved(event), 'kind').toLowerCase(), stringAt(involved(event), 'name')];
    return name === '' ? kind : `${kind}/${name}`;
  },
  Subobject: (event) => stringAt(involved(event), 'fieldPath'),
  Source: (event) => {
    const reporter = stringAt(event, 'reportingComponent') || stringAt(event, 'reportingController');
    const instance = stringAt(source(event), 'host') || stringAt(event, 'reportingInstance');
    return `${stringAt(source(event), 'component') || reporter}${instance && `, ${instance}`}`;
  },
  Message: ({ message, note }) => stringAt({ text: message ?? note }, 'text').trim(),
  'First Seen': (event, now) => humanAge(firstTimestamp(event), now),
  Count: ({ count, deprecatedCount, series }) =>
    isJsonObject(series)
      ? (numberAt(series, 'count') ?? 0)
      : numberAt({ count: count ?? deprecatedCount }, 'count') || 1,
};

const quota =
  (isLimit: boolean): Cell =>
  (object) => {
    const { hard, used } = statusOf(object);
    return Object.entries(objectAt({ hard }, 'hard'))
      .filter(([name]) => name.startsWith('limits.') === isLimit)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, limit]) => `${name}: ${textOf(objectAt({ used }, 'used')[name] ?? '0')}/${String(limit)}`)
      .join(', ');
  };

/** The cells of kinds of the core group, except workloads. */
export const CORE_CELLS: Readonly<Record<string, Cells>> = {
  Service: {
    Type: spec('type', ''),
    'Cluster-IP': spec('clusterIP', '<none>'),
    'External-IP': externalAddress,
    'Port(s)': servicePorts,
    Selector: selector(),
  },
  Node: {
    Status: nodeStatus,
    Roles: roles,
    Version: (node) => stringAt(statusOf(node).nodeInfo, 'kubeletVersion'),
    'Internal-IP': nodeAddress('InternalIP'),
    'External-IP': nodeAddress('ExternalIP'),
    'OS-Image': nodeInfo('osImage'),
    'Kernel-Version': nodeInfo('kernelVersion'),
    'Container-Runtime': nodeInfo('containerRuntimeVersion'),
  },
  Namespace: { Status: status('phase', '') },
  ConfigMap: { Data: (object) => size(object, 'data') + size(object, 'binaryData') },
  Secret: { Type: field('type'), Data: (object) => size(object, 'data') },
  Event: EVENT,
  'Event.events.k8s.io': EVENT,
  Endpoints: { Endpoints: endpoints },
  ResourceQuota: { Request: quota(false), Limit: quota(true) },
  PersistentVolume: {
    Capacity: (object) => stringAt(specOf(object).capacity, 'storage'),
    'Access Modes': (object) => accessModes(arrayAt(specOf(object), 'accessModes')),
    'Reclaim Policy': spec('persistentVolumeReclaimPolicy', ''),
    Status: (object) =>
      object.metadata.deletionTimestamp === undefined ? status('phase', '')(object, 0) : 'Terminating',
    Claim: (object) => {
      const { namespace, name } = objectAt(specOf(object), 'claimRef');
      return name === undefined ? '' : `${String(namespace)}/${textOf(name)}`;
    },
    StorageClass: spec('storageClassName', ''),
    VolumeAttributesClass: spec('volumeAttributesClassName', '<unset>'),
    Reason: status('reason', ''),
    VolumeMode: spec('volumeMode', '<unset>'),
  },
  PersistentVolumeClaim: {
    Status: (object) =>
      object.metadata.deletionTimestamp === undefined ? status('phase', '')(object, 0) : 'Terminating',
    Volume: spec('volumeName', ''),
    Capacity: (object) => (isPlaced(object) ? stringAt(statusOf(object).capacity, 'storage') || '0' : ''),
    'Access Modes': (object) => (isPlaced(object) ? accessModes(arrayAt(statusOf(object), 'accessModes')) : ''),
    StorageClass: spec('storageClassName', ''),
    VolumeAttributesClass: spec('volumeAttributesClassName', '<unset>'),
    VolumeMode: spec('volumeMode', '<unset>'),
  },
};
