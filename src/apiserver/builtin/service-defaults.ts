import { objectAt, type ApiObject } from '../object.js';
import { eachObject, ensureObject, setDefaults } from './set-default.js';

/** Fills in a Service as core/v1 does; addresses are given out by its strategy. */
export function defaultService(object: ApiObject): void {
  const spec = ensureObject(object, 'spec');
  setDefaults(spec, { sessionAffinity: 'None', type: 'ClusterIP' });
  if (spec.sessionAffinity === 'ClientIP') {
    setDefaults(ensureObject(ensureObject(spec, 'sessionAffinityConfig'), 'clientIP'), { timeoutSeconds: 10800 });
  }
  for (const port of eachObject(spec.ports)) setDefaults(port, { protocol: 'TCP', targetPort: port.port });
  for (const port of eachObject(spec.ports))
    if (port.targetPort === 0 || port.targetPort === '') port.targetPort = port.port;
  if (spec.type === 'NodePort' || spec.type === 'LoadBalancer') setDefaults(spec, { externalTrafficPolicy: 'Cluster' });
  if (spec.type !== 'ExternalName') setDefaults(spec, { internalTrafficPolicy: 'Cluster' });
  if (spec.type === 'LoadBalancer') setDefaults(spec, { allocateLoadBalancerNodePorts: true });
  setDefaults(objectAt(object, 'status'), { loadBalancer: {} });
}
