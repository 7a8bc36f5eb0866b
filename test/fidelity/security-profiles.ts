import type { Chooser } from './chooser.js';

export const profile = (choose: Chooser): object => ({
  ...choose.maybe(0.9, { type: choose.pick(['RuntimeDefault', 'Localhost', 'Unconfined', 'Odd']) }),
  ...choose.maybe(0.3, { localhostProfile: choose.pick(['a', '/a', '../a', ' a']) }),
});

export const windows = (choose: Chooser): object => ({
  ...choose.maybe(0.4, { runAsUserName: choose.pick(['me', '', 'a\\b', 'a\\b\\c', 'a:b', '...', ' .\\x']) }),
  ...choose.maybe(0.3, { hostProcess: choose.pick([true, false]) }),
  ...choose.maybe(0.2, {
    gmsaCredentialSpecName: choose.pick(['a', 'A b']),
    gmsaCredentialSpec: choose.pick(['x', '']),
  }),
});
