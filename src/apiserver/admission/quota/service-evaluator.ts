import { eachObject } from '../../objects/api-object.js';
import { numberAt, objectAt, stringAt, type JsonObject } from '../../objects/api-object.js';
import type { Evaluator } from './evaluator.js';
import { NO_SCOPE } from './quota-scopes.js';
import { countOf } from '../../objects/resource-list.js';

const NAMES = ['count/services', 'services', 'services.nodeports', 'services.loadbalancers'];

/** Measures Services: by number, and by what they ask of nodes and clouds. */
export const serviceEvaluator: Evaluator = {
  handles: ({ operation, subresource }) => subresource === '' && operation !== 'DELETE',
  matching: (names) => [...names].filter((name) => NAMES.includes(name)),
  matchesScope: NO_SCOPE,
  usage({ spec }) {
    const type = stringAt(spec, 'type');
    return new Map([
      ['count/services', countOf(1)],
      ['services', countOf(1)],
      ['services.nodeports', countOf(nodePorts(type, objectAt({ spec }, 'spec')))],
      ['services.loadbalancers', countOf(type === 'LoadBalancer' ? 1 : 0)],
    ]);
  },
};

function nodePorts(type: string, spec: JsonObject): number {
  const ports = eachObject(spec.ports);
  if (type === 'NodePort') return ports.length;
  if (type !== 'LoadBalancer') return 0;
  if (spec.allocateLoadBalancerNodePorts !== false) return ports.length;
  return ports.filter((port) => (numberAt(port, 'nodePort') ?? 0) !== 0).length;
}
