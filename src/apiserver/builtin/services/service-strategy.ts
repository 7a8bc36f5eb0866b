import { deepEqual } from '../../../base/deep-equal.js';
import {
  type ApiObject,
  type JsonObject,
  eachObject,
  numberAt,
  objectAt,
  isJsonObject,
  without,
} from '../../objects/api-object.js';
import type { PrepareContext, Strategy } from '../../resources/resource.js';
import { allocateClusterIps } from './service-addresses.js';
import { ServiceAddressPool } from './service-address-pool.js';
import { allocateNodePorts, nodePortsOf, takenNodePorts } from './service-node-ports.js';
import {
  clusterIpsOf,
  isExternallyAccessible,
  needsClusterIp,
  needsHealthCheck,
  needsNodePorts,
  ipFamiliesOf,
} from '../../objects/service-type.js';
import { ensureObject, setDefaults } from '../../objects/set-defaults.js';
import { familyOf } from '../../validation/fields/ip-address.js';

/** The strategy of Services: allocates cluster IPs, and node ports if the type requires them. */
export const serviceStrategy: Strategy = {
  decorate: withReadDefaults,
  prepareForCreate(next, context) {
    const spec = ensureObject(next, 'spec');
    // The status endpoint accepts missing Services, but allocates nothing.
    if (context.subresource !== '') return;
    if (spec.clusterIP && clusterIpsOf(spec).length === 0) spec.clusterIPs = [spec.clusterIP];
    allocate(next, undefined, context);
  },
  prepareForUpdate(next, old, subresource, context) {
    if (subresource !== '') return;
    const [spec, former] = [ensureObject(next, 'spec'), objectAt(withReadDefaults(old), 'spec')];
    keepAllocated(spec, former);
    syncClusterIps(spec, former);
    allocate(next, former, context);
    dropInapplicableFields(spec, former);
    if (spec.type !== 'LoadBalancer') next.status = { ...objectAt(next, 'status'), loadBalancer: {} };
  },
};

function allocate(service: ApiObject, former: JsonObject | undefined, { store, dryRun }: PrepareContext): void {
  const spec = ensureObject(service, 'spec');
  const services = (): ApiObject[] => [...store.collection('services').range('')].map(({ object }) => object);
  allocateClusterIps(service, spec, former, new ServiceAddressPool(store), dryRun);
  if (needsNodePorts(spec) || spec.type === 'LoadBalancer')
    allocateNodePorts(service, former, takenNodePorts(services()), dryRun);
}

/** Keeps allocated values that a client omitted. */
function keepAllocated(spec: JsonObject, former: JsonObject): void {
  if (needsClusterIp(former) && needsClusterIp(spec)) keepClusterIps(spec, former);
  if (needsNodePorts(former) && needsNodePorts(spec)) keepNodePorts(spec, former);
  if (needsHealthCheck(former) && needsHealthCheck(spec) && !spec.healthCheckNodePort)
    spec.healthCheckNodePort = former.healthCheckNodePort;
}

function keepClusterIps(spec: JsonObject, former: JsonObject): void {
  if (!spec.clusterIP) spec.clusterIP = former.clusterIP;
  if (clusterIpsOf(spec).length === 0 && clusterIpsOf(former).length > 0) spec.clusterIPs = former.clusterIPs;
}

function keepNodePorts(spec: JsonObject, former: JsonObject): void {
  const [before, now] = [nodePortsOf(former), nodePortsOf(spec)];
  const byName = new Map(eachObject(former.ports).map(({ name = '', nodePort }) => [name, nodePort]));
  for (const port of eachObject(spec.ports)) {
    const nodePort = byName.get(port.name ?? '') as number | undefined;
    const isUsed = nodePort !== undefined && before.has(nodePort) && now.has(nodePort);
    if ((numberAt(port, 'nodePort') ?? 0) === 0 && nodePort !== undefined && !isUsed) port.nodePort = nodePort;
  }
}

/** Updates the list if a client changed only the single field. */
function syncClusterIps(spec: JsonObject, former: JsonObject): void {
  if (clusterIpsOf(former).length > 0 && clusterIpsOf(spec).length === 0 && spec.clusterIP === former.clusterIP)
    spec.clusterIPs = former.clusterIPs;
  if ((spec.clusterIP ?? '') === (former.clusterIP ?? '') || !deepEqual(spec.clusterIPs, former.clusterIPs)) return;
  if (spec.clusterIP) spec.clusterIPs = [spec.clusterIP];
  else delete spec.clusterIPs;
}

/** Fields that depend on a property of a Service; removed if it loses that property. */
const FIELDS_OF: readonly (readonly [(spec: JsonObject) => boolean, readonly string[]])[] = [
  [needsClusterIp, ['ipFamilies', 'ipFamilyPolicy']],
  [needsHealthCheck, ['healthCheckNodePort']],
  [({ type }) => type === 'LoadBalancer', ['allocateLoadBalancerNodePorts', 'loadBalancerClass']],
  [isExternallyAccessible, ['externalTrafficPolicy']],
];

/** Returns whether the type allows node ports, which may not be required. */
function mayHaveNodePorts({ type }: JsonObject): boolean {
  return type === 'NodePort' || type === 'LoadBalancer';
}

/** Removes fields that do not apply to the new type, unless the client changed them. */
function dropInapplicableFields(spec: JsonObject, former: JsonObject): void {
  const lost = (has: (spec: JsonObject) => boolean): boolean => has(former) && !has(spec);
  const unchanged = (field: string): boolean => deepEqual(spec[field], former[field]);
  const dropped = FIELDS_OF.flatMap(([has, fields]) => (lost(has) ? fields : [])).filter(unchanged);
  if (lost(needsClusterIp) && unchanged('clusterIPs') && unchanged('clusterIP'))
    dropped.push('clusterIP', 'clusterIPs');
  for (const field of dropped) Reflect.deleteProperty(spec, field);
  if (lost(mayHaveNodePorts) && new Set(nodePortList(spec)).isSubsetOf(new Set([0, ...nodePortList(former)])))
    for (const port of eachObject(spec.ports)) delete port.nodePort;
}

function nodePortList(spec: JsonObject): number[] {
  return eachObject(spec.ports).map((port) => numberAt(port, 'nodePort') ?? 0);
}

const CLIENT_IP_SECONDS = 10800;

/** Sets the defaults of a Service like core/v1; its strategy allocates addresses. */
export function defaultService(object: ApiObject): void {
  const spec = ensureObject(object, 'spec');
  if (spec.sessionAffinity === '') delete spec.sessionAffinity;
  if (spec.type === '') delete spec.type;
  setDefaults(spec, { sessionAffinity: 'None', type: 'ClusterIP' });
  defaultAffinity(spec);
  eachObject(spec.ports).forEach(defaultPort);
  if (isExternallyAccessible(spec) && !spec.externalTrafficPolicy) spec.externalTrafficPolicy = 'Cluster';
  if (['ClusterIP', 'NodePort', 'LoadBalancer'].includes(spec.type as string))
    setDefaults(spec, { internalTrafficPolicy: 'Cluster' });
  if (spec.type === 'LoadBalancer') defaultLoadBalancer(object, spec);
}

function defaultLoadBalancer(object: ApiObject, spec: JsonObject): void {
  setDefaults(spec, { allocateLoadBalancerNodePorts: true });
  for (const ingress of eachObject(objectAt(object.status, 'loadBalancer').ingress))
    if (ingress.ip) setDefaults(ingress, { ipMode: 'VIP' });
}

function defaultPort(port: JsonObject): void {
  if (port.protocol === '') delete port.protocol;
  setDefaults(port, { protocol: 'TCP', targetPort: 0 });
  if (port.targetPort === 0 || port.targetPort === '') port.targetPort = port.port;
}

function defaultAffinity(spec: JsonObject): void {
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity !== 'ClientIP') return;
  const { clientIP } = objectAt(spec, 'sessionAffinityConfig');
  if (!isJsonObject(clientIP) || numberAt(clientIP, 'timeoutSeconds') === undefined)
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: CLIENT_IP_SECONDS } };
}

/** Returns a Service as read, except from the status endpoint: pkg/registry/core/service/storage, defaultOnRead. */
function withReadDefaults(service: ApiObject): ApiObject {
  const spec = objectAt(service, 'spec');
  const shown = withFamilies(withList(withoutPolicy(spec)));
  return shown === spec ? service : { ...service, spec: shown };
}

/** Removes a policy left from a former type. */
function withoutPolicy(spec: JsonObject): JsonObject {
  const isLeft = spec.type === 'ExternalName' && spec.internalTrafficPolicy !== undefined;
  return isLeft ? without(spec, 'internalTrafficPolicy') : spec;
}

function withList(spec: JsonObject): JsonObject {
  return spec.clusterIP && clusterIpsOf(spec).length === 0 ? { ...spec, clusterIPs: [spec.clusterIP] } : spec;
}

function withFamilies(spec: JsonObject): JsonObject {
  if (!needsClusterIp(spec) || ipFamiliesOf(spec).length > 0) return spec;
  if (spec.clusterIP === 'None') {
    const isFree = Object.keys(objectAt(spec, 'selector')).length === 0;
    return isFree
      ? { ...spec, ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv4', 'IPv6'] }
      : { ...spec, ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4'] };
  }
  const ipFamilies = clusterIpsOf(spec).map((ip) => familyOf(ip) ?? 'IPv4');
  if (ipFamilies.length === 0) return spec;
  return { ...spec, ipFamilies, ipFamilyPolicy: ipFamilies.length === 1 ? 'SingleStack' : 'RequireDualStack' };
}
