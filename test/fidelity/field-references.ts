import type { Chooser } from './chooser.js';

export const fieldRef = (choose: Chooser): object => ({
  ...choose.maybe(0.2, { apiVersion: choose.pick(['v1', 'v2']) }),
  fieldPath: choose.pick([
    'metadata.name',
    "metadata.labels['x']",
    "metadata.annotations['A B']",
    'status.podIP',
    'spec.odd',
    'status.phase',
    "spec.x['y']",
    '',
  ]),
});

export const resourceFieldRef = (choose: Chooser): object => ({
  resource: choose.pick(['limits.cpu', 'requests.memory', 'limits.hugepages-2Mi', 'odd', '']),
  ...choose.maybe(0.4, { divisor: choose.pick(['1', '1m', '1Mi', '2']) }),
  ...choose.maybe(0.5, { containerName: 'c' }),
});
