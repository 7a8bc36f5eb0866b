import type { JsonObject } from './api-object.js';

/** Returns whether clients outside the cluster can reach a Service with this spec. */
export function isExternallyAccessible({ type, externalIPs }: JsonObject): boolean {
  const hasExternalIps = Array.isArray(externalIPs) && externalIPs.length > 0;
  return type === 'LoadBalancer' || type === 'NodePort' || (type === 'ClusterIP' && hasExternalIps);
}

export function needsClusterIp({ type }: JsonObject): boolean {
  return type !== 'ExternalName';
}

export function needsNodePorts({ type, allocateLoadBalancerNodePorts }: JsonObject): boolean {
  return type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false);
}

export function needsHealthCheck({ type, externalTrafficPolicy }: JsonObject): boolean {
  return type === 'LoadBalancer' && externalTrafficPolicy === 'Local';
}

export function clusterIpsOf({ clusterIPs }: JsonObject): readonly string[] {
  return Array.isArray(clusterIPs) ? (clusterIPs as string[]) : [];
}

export function ipFamiliesOf({ ipFamilies }: JsonObject): readonly string[] {
  return Array.isArray(ipFamilies) ? (ipFamilies as string[]) : [];
}

/** Returns whether a Service is explicitly headless. */
export function isHeadless(spec: JsonObject): boolean {
  const [first, ...rest] = clusterIpsOf(spec);
  return first === 'None' && rest.length === 0;
}
