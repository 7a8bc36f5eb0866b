import { HelloApp } from '../../operators/helloapp.js';
import { Mydemo } from '../../operators/mydemo.js';
import { NodePool } from '../../operators/nodepool.js';
import { PodBugger } from '../../operators/podbugger.js';
import { PodSet } from '../../operators/podset.js';
import { Brake } from './harness/blocking-operator.js';
import { faultSuite } from './harness/fault-suite.js';
import { CRASH_ROWS } from './rows/crashes.js';
import { PROCESS_ROWS } from './rows/processes.js';

faultSuite({
  title: 'an operator as a process',
  rows: [...CRASH_ROWS, ...PROCESS_ROWS],
  kinds: [PodSet, HelloApp, Mydemo, NodePool, PodBugger, Brake],
  parallel: 2,
});
