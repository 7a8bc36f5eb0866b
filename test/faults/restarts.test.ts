import { faultSuite } from './harness/fault-suite.js';
import { Axle, Gear } from './harness/gear.js';
import { RESTART_ROWS } from './rows/restarts.js';

faultSuite({
  title: 'a manager whose API server restarts',
  rows: RESTART_ROWS,
  kinds: [Gear, Axle],
  parallel: 1,
  apiserverArgs: ['--etcd-compaction-interval=1s'],
});
