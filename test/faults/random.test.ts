import { HelloApp } from '../../operators/helloapp.js';
import { Mydemo } from '../../operators/mydemo.js';
import { NodePool } from '../../operators/nodepool.js';
import { PodBugger } from '../../operators/podbugger.js';
import { PodSet } from '../../operators/podset.js';
import { faultSuite } from './harness/fault-suite.js';
import { RANDOM_ROWS } from './rows/random-sequences.js';

// A NodePool operator handles all pools of the cluster, so that only one may run.
faultSuite({
  title: 'the operators under random faults',
  rows: RANDOM_ROWS,
  kinds: [PodSet, HelloApp, Mydemo, NodePool, PodBugger],
  parallel: 1,
});
