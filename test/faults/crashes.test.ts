import { HelloApp } from '../../operators/helloapp.js';
import { Mydemo } from '../../operators/mydemo.js';
import { NodePool } from '../../operators/nodepool.js';
import { PodBugger } from '../../operators/podbugger.js';
import { PodSet } from '../../operators/podset.js';
import { faultSuite } from './harness/fault-suite.js';
import { CRASH_ROWS } from './rows/crashes.js';

faultSuite({
  title: 'an operator that is killed',
  rows: CRASH_ROWS,
  kinds: [PodSet, HelloApp, Mydemo, NodePool, PodBugger],
  parallel: 2,
});
