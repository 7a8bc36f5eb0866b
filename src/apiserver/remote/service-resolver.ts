import { keyOf } from '../../api/objects/object-key.js';
import { eachObject, objectAt, stringAt } from '../objects/api-object.js';
import type { ObjectStore } from '../storage/object-store.js';

const LOOPBACK = '127.0.0.1';

/**
 * Resolves the address of the process behind a Service: a webhook, or the server of an APIService. The embedded cluster
 * has no pod network. Processes run on this machine, so a port of a Service resolves to its target port on the loopback
 * address. A Service of type ExternalName resolves to that name.
 */
export class ServiceResolver {
  constructor(private readonly store: ObjectStore) {}

  resolve(namespace: string, name: string, port: number): { host: string; port: number } {
    const service = this.store.get('services', keyOf(name, namespace))?.object;
    if (!service) throw new Error(`service "${name}" not found`);
    const spec = objectAt(service, 'spec');
    if (spec.type === 'ExternalName') return { host: stringAt(spec, 'externalName'), port };
    const found = eachObject(spec.ports).find((each) => each.port === port);
    if (!found) throw new Error(`no service port ${port} found for service "${name}"`);
    const { targetPort } = found;
    return { host: LOOPBACK, port: typeof targetPort === 'number' ? targetPort : port };
  }
}
