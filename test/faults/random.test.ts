import { HelloApp } from '../../operators/helloapp.js';
import { Mydemo } from '../../operators/mydemo.js';
import { NodePool } from '../../operators/nodepool.js';
import { PodBugger } from '../../operators/podbugger.js';
import { PodSet } from '../../operators/podset.js';
import { faultSuite } from './harness/fault-suite.js';
import { Axle, Gear } from './harness/gear.js';
import { RANDOM_ROWS } from './rows/random-sequences.js';
import { RANDOM_SHARD_ROWS } from './rows/random-shards.js';

// A NodePool operator handles all pools of the cluster, so that only one may run.
faultSuite({
  title: 'operators and replicas under random faults',
  rows: [...RANDOM_ROWS, ...RANDOM_SHARD_ROWS],
  kinds: [PodSet, HelloApp, Mydemo, NodePool, PodBugger, Gear, Axle],
  parallel: 1,
});
