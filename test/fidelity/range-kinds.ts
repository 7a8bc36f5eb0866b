import type { Chooser } from './chooser.js';
import type { RandomKind } from './random-kind.js';

const VERSION = 'networking.k8s.io/v1';

const NETWORKS = [
  ...['192.168.7.0/24', '2001:db8::/64', '192.168.7.1/24', '2001:DB8::/64', '192.168.07.0/24', '1.2.3.4', '', 'x/y'],
  ...['192.168.8.0/24', '2001:db8:0:1::/64', '::ffff:192.168.8.0/120', '0.0.0.0/0', '192.168.9.0/33'],
];

function networks(choose: Chooser): readonly string[] {
  const [first, second] = [choose.pick(NETWORKS.slice(0, 2)), choose.pick(NETWORKS)];
  return choose.pick([[first], [first], [first], [second], [first, second], [second, first, first], []]);
}

/** IPAddresses are left to the scenario: each server has those of its Services. */
const range: RandomKind = {
  title: 'ServiceCIDR',
  apiVersion: VERSION,
  kind: 'ServiceCIDR',
  plural: 'servicecidrs',
  isClusterScoped: true,
  subresources: ['status'],
  body: (choose) => ({ spec: choose.maybe(0.97, { cidrs: networks(choose) }) }),
  change: (choose) => choose.pick<object>([{ spec: { cidrs: networks(choose) } }, { spec: { cidrs: null } }]),
  operations: (choose) => [
    {
      op: choose.pick(['add', 'replace']),
      path: choose.pick(['/spec/cidrs/-', '/spec/cidrs/0']),
      value: choose.pick(NETWORKS),
    },
  ],
  status: (choose) => ({
    conditions: choose.pick([
      [
        {
          type: choose.pick(['Odd', 'Odd', 'a b', '']),
          status: choose.pick(['True', 'False', 'odd']),
          reason: choose.pick(['R', '', 'a b']),
          message: 'm',
          lastTransitionTime: '2026-01-01T00:00:00Z',
        },
      ],
      [],
    ]),
  }),
};

export const RANGE_KINDS: readonly RandomKind[] = [range];
