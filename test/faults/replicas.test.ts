import { faultSuite } from './harness/fault-suite.js';
import { Axle, Gear } from './harness/gear.js';
import { RANDOM_REPLICA_ROWS } from './rows/random-replicas.js';

faultSuite({
  title: 'replicas under random faults',
  rows: RANDOM_REPLICA_ROWS,
  kinds: [Gear, Axle],
  parallel: 2,
});
