import { stringAt, type ApiObject, type JsonObject } from '../object.js';
import type { Strategy } from '../resources/resource.js';
import { eachObject, ensureObject, setDefaults } from './set-default.js';

const FIRST_NODE_PORT = 30000;
const NODE_PORTS = 2768;

let nextAddress = 10;
let nextNodePort = 0;

/** Services get a cluster address, and node ports where their type has them. */
export const serviceStrategy: Strategy = {
  prepareForCreate(next) {
    allocate(next);
  },
  prepareForUpdate(next, old, subresource) {
    if (subresource !== '') return;
    const [spec, former] = [ensureObject(next, 'spec'), ensureObject(old, 'spec')];
    if (spec.type !== 'ExternalName' && former.type !== 'ExternalName') {
      for (const key of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'])
        setDefaults(spec, { [key]: former[key] });
      if (spec.clusterIP === '') spec.clusterIP = former.clusterIP;
    }
    keepNodePorts(spec, former);
    allocate(next);
  },
};

function keepNodePorts(spec: JsonObject, former: JsonObject): void {
  const present = new Map(eachObject(former.ports).map((port) => [portKey(port), port.nodePort]));
  if (!needsNodePorts(spec)) return;
  for (const port of eachObject(spec.ports)) {
    const nodePort = present.get(portKey(port));
    if (nodePort !== undefined) setDefaults(port, { nodePort });
  }
}

function portKey({ port, protocol }: JsonObject): string {
  return `${String(port)}/${String(protocol)}`;
}

function needsNodePorts(spec: JsonObject): boolean {
  return spec.type === 'NodePort' || (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false);
}

function allocate(service: ApiObject): void {
  const spec = ensureObject(service, 'spec');
  if (spec.type === 'ExternalName') return;
  if (stringAt(spec, 'clusterIP') === '') {
    const [given] = (spec.clusterIPs as string[] | undefined) ?? [];
    spec.clusterIP = given ?? clusterAddress();
  }
  setDefaults(spec, { clusterIPs: [spec.clusterIP], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' });
  if (needsNodePorts(spec))
    for (const port of eachObject(spec.ports))
      setDefaults(port, { nodePort: FIRST_NODE_PORT + (nextNodePort++ % NODE_PORTS) });
}

function clusterAddress(): string {
  const number = nextAddress++;
  return `10.0.${(number >>> 8) & 0xff}.${number & 0xff}`;
}
