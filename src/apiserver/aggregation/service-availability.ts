import { goQuoted } from '../../base/go-quoted.js';
import { eachObject } from '../../base/json-object.js';
import { objectAt, stringAt, type ApiObject, type JsonObject } from '../objects/api-object.js';
import type { ObjectStore } from '../storage/object-store.js';
import type { ServiceReference } from './service-reference.js';

/** Why something is so, as a condition has it. */
export interface Finding {
  readonly reason: string;
  readonly message: string;
}

/** What keeps the Service of an APIService from leading to a server; undefined when nothing does. */
export function serviceProblem(store: ObjectStore, { namespace, name, port }: ServiceReference): Finding | undefined {
  const service = store.get('services', `${namespace}/${name}`)?.object;
  const where = `service/${name} in ${goQuoted(namespace)}`;
  if (!service) return { reason: 'ServiceNotFound', message: `${where} is not present` };
  const { type, ports } = objectAt(service, 'spec');
  if (type !== 'ClusterIP') return undefined;
  const found = eachObject(ports).find((each) => each.port === port);
  if (!found) return { reason: 'ServicePortError', message: `${where} is not listening on port ${port}` };
  const slices = [...store.collection('endpointslices.discovery.k8s.io').range(`${namespace}/`)]
    .map(({ object }) => object)
    .filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === name);
  if (slices.length === 0) return { reason: 'EndpointsNotFound', message: `cannot find endpointslices for ${where}` };
  const portName = stringAt(found, 'name');
  if (slices.some((slice) => hasAddress(slice, portName))) return undefined;
  const message = `endpointslices for ${where} have no addresses with port name ${goQuoted(portName)}`;
  return { reason: 'MissingEndpoints', message };
}

function hasAddress({ endpoints, ports }: ApiObject, portName: string): boolean {
  const isReady = (endpoint: JsonObject): boolean => objectAt(endpoint, 'conditions').ready !== false;
  return (
    eachObject(endpoints).some(isReady) &&
    eachObject(ports).some(({ name, port }) => name === portName && typeof port === 'number')
  );
}
