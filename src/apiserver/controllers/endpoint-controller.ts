import { deepEqual } from '../../base/deep-equal.js';
import { keyOf, splitKey } from '../../api/objects/object-key.js';
import { isHeadless } from '../objects/service-type.js';
import { type ApiObject, type JsonObject, eachObject, numberAt, objectAt, stringAt } from '../objects/api-object.js';
import { controlledBy, type ClusterClient } from './cluster-client.js';
import { follow } from './follow.js';
import { ReconcileQueue } from './reconcile-queue.js';
import { isPodFinished, isPodReady } from './pod-control.js';

const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
const MANAGER = 'endpointslice-controller.k8s.io';
const SERVICE_NAME = 'kubernetes.io/service-name';
const HEADLESS = 'service.kubernetes.io/headless';

/** Pods that serve the same ports of a Service. */
interface Group {
  readonly ports: readonly JsonObject[];
  readonly pods: readonly ApiObject[];
}

/** Writes the pods behind each Service with a selector to EndpointSlices and Endpoints. */
export class EndpointController {
  private readonly queue: ReconcileQueue;
  private readonly unsubscribe: (() => void)[];
  private readonly services;
  private readonly pods;
  private readonly slices;
  private readonly endpoints;

  constructor(private readonly client: ClusterClient) {
    this.services = client.resource('v1', 'services');
    this.pods = client.resource('v1', 'pods');
    this.slices = client.resource('discovery.k8s.io/v1', 'endpointslices');
    this.endpoints = client.resource('v1', 'endpoints');
    this.queue = new ReconcileQueue('endpoints', client.clock, client.logger, (key) => this.reconcile(key));
    this.unsubscribe = [
      follow(client.store, this.services.storage, ({ current }) => this.queue.add(current.key)),
      follow(client.store, this.pods.storage, ({ current, previous }) => {
        this.enqueueFor(current.object);
        if (previous) this.enqueueFor(previous.object);
      }),
      client.store.collection(this.slices.storage).subscribe(({ current: { object } }) => {
        const { labels, namespace = '' } = object.metadata;
        if (labels?.[MANAGED_BY] === MANAGER) this.queue.add(keyOf(labels[SERVICE_NAME] ?? '', namespace));
      }),
      client.store.collection(this.endpoints.storage).subscribe(({ type, current }) => {
        if (type === 'DELETED') this.queue.add(current.key);
      }),
    ];
  }

  stop(): void {
    this.queue.shutDown();
    for (const unsubscribe of this.unsubscribe) unsubscribe();
  }

  private enqueueFor(pod: ApiObject): void {
    const { namespace = '' } = pod.metadata;
    for (const service of this.client.list(this.services, namespace))
      if (selects(service, pod)) this.queue.add(keyOf(service.metadata.name, namespace));
  }

  private reconcile(key: string): void {
    const service = this.client.get(this.services, key);
    const { namespace } = splitKey(key);
    if (!service) {
      const left = this.client.get(this.endpoints, key);
      if (left) this.client.remove(this.endpoints, left);
      return;
    }
    if (service.metadata.deletionTimestamp !== undefined || selectorOf(service) === undefined) return;
    const pods = [...this.client.list(this.pods, namespace)].filter((pod) => selects(service, pod) && isServing(pod));
    const groups = groupsOf(service, pods);
    this.writeSlices(service, groups);
    this.writeEndpoints(service, groups, key);
  }

  private writeSlices(service: ApiObject, groups: readonly Group[]): void {
    const present = this.client.ownedBy(this.slices, service);
    const labels = {
      ...service.metadata.labels,
      [MANAGED_BY]: MANAGER,
      [SERVICE_NAME]: service.metadata.name,
      ...(isHeadless(objectAt(service, 'spec')) && { [HEADLESS]: '' }),
    };
    const wanted = groups.length === 0 ? [{ ports: [], pods: [] }] : groups;
    wanted.forEach(({ ports, pods }, index) => {
      const content = { endpoints: pods.map((pod) => endpointOf(pod)), ports: [...ports] };
      const slice = present[index];
      if (!slice) this.createSlice(service, labels, content);
      else if (
        !deepEqual(
          [slice.endpoints ?? [], slice.ports ?? [], slice.metadata.labels],
          [content.endpoints, content.ports, labels],
        )
      )
        this.client.update(this.slices, slice, (old) => ({
          ...old,
          ...content,
          metadata: { ...old.metadata, labels },
        }));
    });
    for (const surplus of present.slice(wanted.length)) this.client.remove(this.slices, surplus);
  }

  private createSlice(service: ApiObject, labels: JsonObject, content: JsonObject): void {
    const { name, namespace } = service.metadata;
    const ownerReferences = [controlledBy(this.services, service)];
    this.client.create(this.slices, {
      metadata: { generateName: `${name}-`, namespace, labels, ownerReferences },
      addressType: 'IPv4',
      ...content,
    });
  }

  private writeEndpoints(service: ApiObject, groups: readonly Group[], key: string): void {
    const { name, namespace } = service.metadata;
    const labels = { ...service.metadata.labels, 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' };
    const subsets = groups.map(subsetOf);
    const present = this.client.get(this.endpoints, key);
    if (!present) this.client.create(this.endpoints, { metadata: { name, namespace, labels }, subsets });
    else if (!deepEqual([present.subsets ?? [], present.metadata.labels], [subsets, labels]))
      this.client.update(this.endpoints, present, (old) => ({
        ...old,
        subsets,
        metadata: { ...old.metadata, labels },
      }));
  }
}

/** Returns the selector of a Service; undefined if it is empty or the type is ExternalName. */
function selectorOf({ spec }: ApiObject): JsonObject | undefined {
  const selector = objectAt(spec, 'selector');
  return Object.keys(selector).length === 0 || stringAt(spec, 'type') === 'ExternalName' ? undefined : selector;
}

function selects(service: ApiObject, { metadata }: ApiObject): boolean {
  const selector = selectorOf(service);
  return selector !== undefined && Object.entries(selector).every(([key, value]) => metadata.labels?.[key] === value);
}

function isServing(pod: ApiObject): boolean {
  return stringAt(pod.status, 'podIP') !== '' && !isPodFinished(pod) && pod.metadata.deletionTimestamp === undefined;
}

/** Groups the pods by the numbers of the Service's ports on them. */
function groupsOf(service: ApiObject, pods: readonly ApiObject[]): Group[] {
  const groups = new Map<string, { ports: JsonObject[]; pods: ApiObject[] }>();
  for (const pod of pods) {
    const ports = eachObject(objectAt(service, 'spec').ports).flatMap((port) => portOn(pod, port));
    const key = JSON.stringify(ports);
    const group = groups.get(key) ?? { ports, pods: [] };
    group.pods.push(pod);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Returns a port of a Service on a pod; empty if the pod has no port of that name. */
function portOn(pod: ApiObject, { name = '', protocol, targetPort, port }: JsonObject): JsonObject[] {
  const named = eachObject(objectAt(pod, 'spec').containers)
    .flatMap((container) => eachObject(container.ports))
    .find((own) => own.name === targetPort && own.protocol === protocol);
  const number = typeof targetPort === 'string' ? numberAt(named, 'containerPort') : (targetPort ?? port);
  return number === undefined ? [] : [{ name, protocol, port: number }];
}

function targetOf({ metadata }: ApiObject): JsonObject {
  const { name, namespace, uid } = metadata;
  return { kind: 'Pod', name, namespace, uid };
}

function endpointOf(pod: ApiObject): JsonObject {
  const ready = isPodReady(pod);
  return {
    addresses: [stringAt(pod.status, 'podIP')],
    conditions: { ready, serving: ready, terminating: false },
    nodeName: stringAt(pod.spec, 'nodeName'),
    targetRef: targetOf(pod),
  };
}

function subsetOf({ ports, pods }: Group): JsonObject {
  const addressesOf = (areReady: boolean): JsonObject[] =>
    pods
      .filter((pod) => isPodReady(pod) === areReady)
      .map((pod) => ({
        ip: stringAt(pod.status, 'podIP'),
        nodeName: stringAt(pod.spec, 'nodeName'),
        targetRef: targetOf(pod),
      }));
  const [addresses, notReadyAddresses] = [addressesOf(true), addressesOf(false)];
  return {
    ...(addresses.length > 0 && { addresses }),
    ...(notReadyAddresses.length > 0 && { notReadyAddresses }),
    ...(ports.length > 0 && { ports: ports.map(({ name, ...port }) => (name === '' ? port : { name, ...port })) }),
  };
}
