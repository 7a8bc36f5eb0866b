import { arrayAt, numberAt, objectAt, stringAt, type ApiObject, textOf } from '../object.js';
import { eachObject } from '../builtin/set-default.js';
import { selectorText } from '../resources/selector-text.js';
import { humanAge } from './human-duration.js';
import { podCells, type PodCells } from './pod-cells.js';
import type { TableColumn } from './table-column.js';

type Cell = (object: ApiObject, nowMs: number) => unknown;

const NAME_DESCRIPTION =
  'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names';
const AGE_DESCRIPTION =
  'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata';

const DATA_DESCRIPTION =
  "Data contains the configuration data. Each key must consist of alphanumeric characters, '-', '_' or '.'. Values with non-UTF-8 byte sequences must use the BinaryData field. The keys stored in Data must not overlap with the keys in the BinaryData field, this is enforced during validation process.";

function column(name: string, cell: Cell, type = 'string', priority = 0, format = '', description = ''): TableColumn {
  return { name, type, format, description, priority, cell };
}

const NAME = column('Name', ({ metadata }) => metadata.name, 'string', 0, 'name', NAME_DESCRIPTION);
export const AGE = column(
  'Age',
  ({ metadata }, now) => humanAge(metadata.creationTimestamp, now),
  'string',
  0,
  '',
  AGE_DESCRIPTION,
);

const wide = (name: string, cell: Cell): TableColumn => column(name, cell, 'string', 1);
const int = (name: string, cell: Cell): TableColumn => column(name, cell, 'integer');
const spec =
  (field: string, absent: unknown = 0): Cell =>
  (object) =>
    objectAt(object, 'spec')[field] ?? absent;
const status =
  (field: string, absent: unknown = 0): Cell =>
  (object) =>
    objectAt(object, 'status')[field] ?? absent;

const containersOf = (object: ApiObject) =>
  eachObject(objectAt(objectAt(objectAt(object, 'spec'), 'template'), 'spec').containers);
const CONTAINERS = wide('Containers', (object) =>
  containersOf(object)
    .map(({ name }) => name)
    .join(','),
);
const IMAGES = wide('Images', (object) =>
  containersOf(object)
    .map(({ image }) => image)
    .join(','),
);
const SELECTOR = wide('Selector', (object) => selectorText(objectAt(object, 'spec').selector) || '<none>');

const pod =
  (field: keyof PodCells): Cell =>
  (object, now) =>
    podCells(object, now)[field];

const roles = ({ metadata }: ApiObject): string => {
  const prefix = 'node-role.kubernetes.io/';
  const names = Object.keys(metadata.labels ?? {}).filter(
    (key) => key.startsWith(prefix) && key.length > prefix.length,
  );
  return (
    names
      .map((key) => key.slice(prefix.length))
      .sort()
      .join(',') || '<none>'
  );
};

const nodeReady = (node: ApiObject): string => {
  const ready = eachObject(objectAt(node, 'status').conditions).find(({ type }) => type === 'Ready');
  const state = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return objectAt(node, 'spec').unschedulable === true ? `${state},SchedulingDisabled` : state;
};

const servicePorts = (service: ApiObject): string =>
  eachObject(objectAt(service, 'spec').ports)
    .map(({ port, nodePort, protocol }) =>
      nodePort === undefined
        ? `${String(port)}/${String(protocol)}`
        : `${String(port)}:${textOf(nodePort)}/${String(protocol)}`,
    )
    .join(',') || '<none>';

const lastSeen: Cell = (event, now) =>
  humanAge(stringAt(event, 'lastTimestamp') || stringAt(event, 'eventTime') || stringAt(event, 'firstTimestamp'), now);
const eventObject: Cell = ({ involvedObject }) =>
  `${stringAt(involvedObject, 'kind').toLowerCase()}/${stringAt(involvedObject, 'name')}`;
const jobStatus = (job: ApiObject): string => {
  const conditions = eachObject(objectAt(job, 'status').conditions);
  const met = (type: string) => conditions.some((condition) => condition.type === type && condition.status === 'True');
  if (met('Complete')) return 'Complete';
  if (met('Failed')) return 'Failed';
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating';
  return met('Suspended') ? 'Suspended' : 'Running';
};
const nodeInfo =
  (field: string): Cell =>
  (node) =>
    stringAt(objectAt(node, 'status').nodeInfo, field) || '<unknown>';
const nodeAddress =
  (type: string): Cell =>
  (node) =>
    eachObject(objectAt(node, 'status').addresses).find((address) => address.type === type)?.address ?? '<none>';
const roleRef: Cell = ({ roleRef: reference }) => `${stringAt(reference, 'kind')}/${stringAt(reference, 'name')}`;
const subjectsOf = (kind: string) =>
  wide(`${kind}s`, ({ subjects }) =>
    eachObject(subjects)
      .filter((subject) => subject.kind === kind)
      .map(({ name, namespace }) => (kind === 'ServiceAccount' ? `${String(namespace)}/${String(name)}` : name))
      .join(', '),
  );

const COLUMNS: Readonly<Record<string, readonly TableColumn[]>> = {
  Pod: [
    NAME,
    column('Ready', pod('ready')),
    column('Status', pod('status')),
    column('Restarts', pod('restarts')),
    AGE,
    wide('IP', pod('ip')),
    wide('Node', pod('node')),
    wide('Nominated Node', pod('nominatedNode')),
    wide('Readiness Gates', () => '<none>'),
  ],
  'Deployment.apps': [
    NAME,
    column('Ready', (object) => `${Number(status('readyReplicas')(object, 0))}/${Number(spec('replicas')(object, 0))}`),
    int('Up-to-date', status('updatedReplicas')),
    int('Available', status('availableReplicas')),
    AGE,
    CONTAINERS,
    IMAGES,
    SELECTOR,
  ],
  'ReplicaSet.apps': [
    NAME,
    int('Desired', spec('replicas')),
    int('Current', status('replicas')),
    int('Ready', status('readyReplicas')),
    AGE,
    CONTAINERS,
    IMAGES,
    SELECTOR,
  ],
  'StatefulSet.apps': [
    NAME,
    column('Ready', (object) => `${Number(status('readyReplicas')(object, 0))}/${Number(spec('replicas')(object, 0))}`),
    AGE,
    CONTAINERS,
    IMAGES,
  ],
  'DaemonSet.apps': [
    NAME,
    int('Desired', status('desiredNumberScheduled')),
    int('Current', status('currentNumberScheduled')),
    int('Ready', status('numberReady')),
    int('Up-to-date', status('updatedNumberScheduled')),
    int('Available', status('numberAvailable')),
    column(
      'Node Selector',
      (object) =>
        selectorText(objectAt(objectAt(objectAt(object, 'spec').template, 'spec'), 'nodeSelector')) || '<none>',
    ),
    AGE,
    CONTAINERS,
    IMAGES,
    SELECTOR,
  ],
  'Job.batch': [
    NAME,
    column('Status', jobStatus),
    column(
      'Completions',
      (object) => `${Number(status('succeeded')(object, 0))}/${Number(spec('completions', 1)(object, 0))}`,
    ),
    column('Duration', (job, now) =>
      humanAge(stringAt(job.status, 'startTime'), Date.parse(stringAt(job.status, 'completionTime')) || now, ''),
    ),
    AGE,
    CONTAINERS,
    IMAGES,
    SELECTOR,
  ],
  Service: [
    NAME,
    column('Type', spec('type', '')),
    column('Cluster-IP', spec('clusterIP', '<none>')),
    column('External-IP', (object) => objectAt(object, 'spec').externalName ?? '<none>'),
    column('Port(s)', servicePorts),
    AGE,
    wide('Selector', (object) => selectorText(objectAt(object, 'spec').selector) || '<none>'),
  ],
  Node: [
    NAME,
    column('Status', nodeReady),
    column('Roles', roles),
    AGE,
    column('Version', nodeInfo('kubeletVersion')),
    wide('Internal-IP', nodeAddress('InternalIP')),
    wide('External-IP', nodeAddress('ExternalIP')),
    wide('OS-Image', nodeInfo('osImage')),
    wide('Kernel-Version', nodeInfo('kernelVersion')),
    wide('Container-Runtime', nodeInfo('containerRuntimeVersion')),
  ],
  Namespace: [NAME, column('Status', status('phase', '')), AGE],
  ConfigMap: [
    NAME,
    column(
      'Data',
      (object) => Object.keys(objectAt(object, 'data')).length + Object.keys(objectAt(object, 'binaryData')).length,
      'string',
      0,
      '',
      DATA_DESCRIPTION,
    ),
    AGE,
  ],
  Secret: [
    NAME,
    column('Type', ({ type }) => type),
    int('Data', (object) => Object.keys(objectAt(object, 'data')).length),
    AGE,
  ],
  ServiceAccount: [NAME, AGE],
  Event: [
    column('Last Seen', lastSeen),
    column('Type', ({ type }) => type),
    column('Reason', ({ reason }) => reason),
    column('Object', eventObject),
    wide('Subobject', ({ involvedObject }) => stringAt(involvedObject, 'fieldPath')),
    wide('Source', ({ source }) =>
      [stringAt(source, 'component'), stringAt(source, 'host')].filter((part) => part !== '').join(', '),
    ),
    column('Message', ({ message }) => stringAt({ message }, 'message').trim()),
    wide('First Seen', (event, now) =>
      humanAge(stringAt(event, 'firstTimestamp') || stringAt(event, 'eventTime'), now),
    ),
    wide('Count', ({ count }) => textOf(count ?? 1)),
    { ...NAME, priority: 1 },
  ],
  'Lease.coordination.k8s.io': [NAME, column('Holder', (object) => stringAt(object.spec, 'holderIdentity')), AGE],
  'RuntimeClass.node.k8s.io': [NAME, column('Handler', ({ handler }) => handler), AGE],
  'Role.rbac.authorization.k8s.io': [NAME, column('Created At', ({ metadata }) => metadata.creationTimestamp)],
  'ClusterRole.rbac.authorization.k8s.io': [NAME, column('Created At', ({ metadata }) => metadata.creationTimestamp)],
  'RoleBinding.rbac.authorization.k8s.io': [
    NAME,
    column('Role', roleRef),
    AGE,
    subjectsOf('User'),
    subjectsOf('Group'),
    subjectsOf('ServiceAccount'),
  ],
  'ClusterRoleBinding.rbac.authorization.k8s.io': [
    NAME,
    column('Role', roleRef),
    AGE,
    subjectsOf('User'),
    subjectsOf('Group'),
    subjectsOf('ServiceAccount'),
  ],
  'CustomResourceDefinition.apiextensions.k8s.io': [
    NAME,
    column('Created At', ({ metadata }) => metadata.creationTimestamp, 'date', 0, '', AGE_DESCRIPTION),
  ],
  PersistentVolumeClaim: [
    NAME,
    column('Status', status('phase', '')),
    column('Volume', spec('volumeName', '')),
    column('Capacity', (object) => stringAt(objectAt(objectAt(object, 'status'), 'capacity'), 'storage')),
    column('Access Modes', (object) => arrayAt(objectAt(object, 'status'), 'accessModes').join(',')),
    column('StorageClass', spec('storageClassName', '')),
    column('VolumeAttributesClass', spec('volumeAttributesClassName', '<unset>')),
    AGE,
    wide('VolumeMode', spec('volumeMode', '<unset>')),
  ],
  'PriorityClass.scheduling.k8s.io': [
    NAME,
    int('Value', (object) => numberAt(object, 'value') ?? 0),
    column('Global-Default', (object) => object.globalDefault === true, 'boolean'),
    AGE,
    column('PreemptionPolicy', ({ preemptionPolicy }) => preemptionPolicy),
  ],
};

const PLAIN: readonly TableColumn[] = [NAME, AGE];

/** The columns kubectl gets for a built-in kind. */
export function builtinColumns(group: string, kind: string): readonly TableColumn[] {
  return COLUMNS[group === '' ? kind : `${kind}.${group}`] ?? PLAIN;
}

/** The name column every table starts with. */
export const NAME_COLUMN = NAME;
