import { ownMember } from '../../base/own-member.js';
import { objectAt, stringAt, type ApiObject, textOf } from '../objects/api-object.js';
import type { SelectableFields } from '../storage/field-query.js';

type Read = (object: ApiObject) => string;

const at =
  (parent: string, field: string): Read =>
  (object) =>
    stringAt(object[parent], field);
const flag =
  (parent: string, field: string): Read =>
  (object) =>
    textOf(objectAt(object, parent)[field] ?? false);
const count =
  (parent: string, field: string): Read =>
  (object) =>
    textOf(objectAt(object, parent)[field] ?? 0);

const INVOLVED = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

const top =
  (field: string): Read =>
  (object) =>
    stringAt(object, field);

const eventSource: Read = (object) => stringAt(object.source, 'component') || top('reportingComponent')(object);

/** Fields of a stored Event, which is of version core/v1; the names depend on the version. */
function eventFields(involved: string, reporting: string): readonly (readonly [string, Read])[] {
  return [
    ...INVOLVED.map((field) => [`${involved}.${field}`, at('involvedObject', field)] as const),
    ['reason', top('reason')],
    [reporting, top('reportingComponent')],
    ['type', top('type')],
  ];
}

const FIELDS: Readonly<Record<string, readonly (readonly [string, Read])[]>> = {
  pods: [
    ['spec.nodeName', at('spec', 'nodeName')],
    ['spec.restartPolicy', at('spec', 'restartPolicy')],
    ['spec.schedulerName', at('spec', 'schedulerName')],
    ['spec.serviceAccountName', at('spec', 'serviceAccountName')],
    ['spec.hostNetwork', flag('spec', 'hostNetwork')],
    ['status.phase', at('status', 'phase')],
    ['status.podIP', at('status', 'podIP')],
    ['status.nominatedNodeName', at('status', 'nominatedNodeName')],
  ],
  events: [...eventFields('involvedObject', 'reportingComponent'), ['source', eventSource]],
  'events.events.k8s.io': eventFields('regarding', 'reportingController'),
  namespaces: [['status.phase', at('status', 'phase')]],
  nodes: [['spec.unschedulable', flag('spec', 'unschedulable')]],
  secrets: [['type', top('type')]],
  services: [
    ['spec.clusterIP', at('spec', 'clusterIP')],
    ['spec.type', at('spec', 'type')],
  ],
  replicationcontrollers: [['status.replicas', count('status', 'replicas')]],
  'jobs.batch': [['status.successful', count('status', 'succeeded')]],
  'certificatesigningrequests.certificates.k8s.io': [['spec.signerName', at('spec', 'signerName')]],
  'resourceslices.resource.k8s.io': [
    ['spec.nodeName', at('spec', 'nodeName')],
    ['spec.driver', at('spec', 'driver')],
  ],
};

/** Returns the selectable fields of a built-in resource. */
export function builtinFields(group: string, plural: string): SelectableFields {
  return new Map(ownMember(FIELDS, group === '' ? plural : `${plural}.${group}`) ?? []);
}
