import { deepEqual } from '../../base/deep-equal.js';
import { keyOf, splitKey } from '../../api/objects/object-key.js';
import { eachObject, objectAt, stringAt, type ApiObject, type JsonObject } from '../objects/api-object.js';
import { familyOf } from '../validation/fields/ip-address.js';
import { controlledBy, type ClusterClient } from './cluster-client.js';
import { follow } from './follow.js';
import { ReconcileQueue } from './reconcile-queue.js';

const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
const CONTROLLER = 'endpointslicemirroring-controller.k8s.io';
const SERVICE_NAME = 'kubernetes.io/service-name';
const SKIP = 'endpointslice.kubernetes.io/skip-mirror';
const LEADER = 'control-plane.alpha.kubernetes.io/leader';
/** Annotations that are not copied from Endpoints. */
const OWN_ANNOTATIONS = [
  'endpoints.kubernetes.io/last-change-trigger-time',
  'kubectl.kubernetes.io/last-applied-configuration',
];
const MAX_ADDRESSES = 1000;

/** The content of one slice. */
interface Mirrored {
  readonly addressType: string;
  readonly ports: readonly JsonObject[];
  readonly endpoints: JsonObject[];
}

/** Mirrors the Endpoints of Services without a selector to EndpointSlices. */
export class EndpointMirrorController {
  private readonly queue: ReconcileQueue;
  private readonly unsubscribe: (() => void)[];
  private readonly services;
  private readonly slices;
  private readonly endpoints;

  constructor(private readonly client: ClusterClient) {
    this.services = client.resource('v1', 'services');
    this.slices = client.resource('discovery.k8s.io/v1', 'endpointslices');
    this.endpoints = client.resource('v1', 'endpoints');
    this.queue = new ReconcileQueue('endpoint-mirror', client.clock, client.logger, (key) => this.reconcile(key));
    const enqueue = ({ current }: { readonly current: { readonly key: string } }): void => this.queue.add(current.key);
    this.unsubscribe = [
      follow(client.store, this.endpoints.storage, enqueue),
      client.store.collection(this.services.storage).subscribe(enqueue),
      client.store.collection(this.slices.storage).subscribe(({ type, current: { object } }) => {
        if (type === 'DELETED' && isMirrored(object)) this.queue.add(serviceKeyOf(object));
      }),
    ];
  }

  stop(): void {
    this.queue.shutDown();
    for (const unsubscribe of this.unsubscribe) unsubscribe();
  }

  private reconcile(key: string): void {
    const { namespace } = splitKey(key);
    const endpoints = this.client.get(this.endpoints, key);
    const service = this.client.get(this.services, key);
    const hasSelector = Object.keys(objectAt(objectAt(service, 'spec'), 'selector')).length > 0;
    const isWanted = endpoints && service && !hasSelector && shouldMirror(endpoints);
    const present = [...this.client.list(this.slices, namespace)].filter(
      (slice) => isMirrored(slice) && serviceKeyOf(slice) === key,
    );
    const wanted = isWanted ? mirrored(endpoints) : new Map<string, Mirrored>();
    for (const slice of present) {
      const content = wanted.get(identityOf(slice));
      wanted.delete(identityOf(slice));
      if (content && endpoints) this.update(slice, endpoints, content);
      else this.client.remove(this.slices, slice);
    }
    if (endpoints) for (const content of wanted.values()) this.create(endpoints, content);
  }

  private update(slice: ApiObject, endpoints: ApiObject, content: Mirrored): void {
    const { labels, annotations } = metadataFor(endpoints);
    const next = [content.endpoints, labels, annotations];
    const { metadata } = slice;
    if (!deepEqual([slice.endpoints ?? [], metadata.labels ?? {}, metadata.annotations ?? {}], next))
      this.client.update(this.slices, slice, (old) => ({
        ...old,
        endpoints: content.endpoints,
        metadata: { ...old.metadata, labels, annotations },
      }));
  }

  private create(endpoints: ApiObject, content: Mirrored): void {
    const { name, namespace } = endpoints.metadata;
    const ownerReferences = [controlledBy(this.endpoints, endpoints)];
    const metadata = { generateName: `${name}-`, namespace, ...metadataFor(endpoints), ownerReferences };
    this.client.create(this.slices, { metadata, ...content });
  }
}

function shouldMirror({ metadata }: ApiObject): boolean {
  return metadata.labels?.[SKIP] !== 'true' && metadata.annotations?.[LEADER] === undefined;
}

function isMirrored({ metadata }: ApiObject): boolean {
  return metadata.labels?.[MANAGED_BY] === CONTROLLER;
}

function serviceKeyOf(slice: ApiObject): string {
  const name = slice.metadata.labels?.[SERVICE_NAME] ?? '';
  return keyOf(name, slice.metadata.namespace);
}

function metadataFor({ metadata }: ApiObject): { labels: Record<string, string>; annotations: Record<string, string> } {
  const labels = { ...metadata.labels, [SERVICE_NAME]: metadata.name, [MANAGED_BY]: CONTROLLER };
  const annotations = Object.entries(metadata.annotations ?? {}).filter(([name]) => !OWN_ANNOTATIONS.includes(name));
  return { labels, annotations: Object.fromEntries(annotations) };
}

/** Returns a key of the immutable fields of a slice. */
function identityOf({ addressType, ports }: JsonObject): string {
  const keys = eachObject(ports).map(({ name, protocol, port, appProtocol }) => [name, protocol, port, appProtocol]);
  return JSON.stringify([addressType, keys]);
}

function mirrored({ subsets }: ApiObject): Map<string, Mirrored> {
  const slices = new Map<string, Mirrored>();
  for (const subset of eachObject(subsets)) {
    const ports = eachObject(subset.ports).map((port): JsonObject => ({ name: '', ...port }));
    const addresses = [
      ...eachObject(subset.addresses).map((address) => ({ address, ready: true })),
      ...eachObject(subset.notReadyAddresses).map((address) => ({ address, ready: false })),
    ];
    for (const { address, ready } of addresses) {
      const addressType = familyOf(stringAt(address, 'ip')) ?? 'IPv4';
      const identity = identityOf({ addressType, ports });
      const slice: Mirrored = slices.get(identity) ?? { addressType, ports, endpoints: [] };
      slices.set(identity, slice);
      if (slice.endpoints.length < MAX_ADDRESSES) slice.endpoints.push(endpointOf(address, ready));
    }
  }
  return slices;
}

function endpointOf({ ip, hostname, nodeName, targetRef }: JsonObject, ready: boolean): JsonObject {
  return {
    addresses: [ip],
    conditions: { ready },
    ...(hostname !== undefined && { hostname }),
    ...(targetRef !== undefined && { targetRef }),
    ...(nodeName !== undefined && { nodeName }),
  };
}
