import {
  type ApiObject,
  type JsonObject,
  eachObject,
  isJsonObject,
  numberAt,
  objectAt,
} from '../../objects/api-object.js';
import { isExternallyAccessible } from '../../objects/service-type.js';
import { ensureObject, setDefaults } from '../../objects/set-defaults.js';

const CLIENT_IP_SECONDS = 10800;

/** Fills in a Service as core/v1 does; addresses are given out by its strategy. */
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
