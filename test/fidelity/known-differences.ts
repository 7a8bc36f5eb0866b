import type { ApiCall } from './api-endpoint.js';

/** A request whose replies differ, and why that is so. */
export interface KnownDifference {
  readonly why: string;
  matches(call: ApiCall): boolean;
}

const bodyHas = ({ body }: ApiCall, text: string): boolean => JSON.stringify(body ?? '').includes(text);

export const knownDifferences: readonly KnownDifference[] = [
  {
    why: 'the real server names more of what pods get from admission plugins; the comparison runs without ServiceAccount',
    matches: ({ method, path }) => method === 'POST' && path.includes('/pods?'),
  },
  {
    why: 'the real controller-manager puts kube-root-ca.crt into each namespace',
    matches: ({ method, path }) => method === 'DELETE' && path.endsWith('/configmaps'),
  },
  {
    why: 'the real server also reports that it cannot read spec replicas of the wrong type for the scale subresource',
    matches: (call) => bodyHas(call, '"size":"3"'),
  },
  {
    why: 'the real server reports schema errors of one object in the order of a Go map, which is none',
    matches: (call) => bodyHas(call, '"mode":"odd"'),
  },
  {
    why: 'the real server reports label errors of one object in the order of a Go map, which is none',
    matches: (call) => bodyHas(call, '"x/y/z"'),
  },
];
