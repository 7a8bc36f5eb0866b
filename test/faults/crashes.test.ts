import { HelloApp } from '../../operators/helloapp.js';
import { Mydemo } from '../../operators/mydemo.js';
import { NodePool } from '../../operators/nodepool.js';
import { PodBugger } from '../../operators/podbugger.js';
import { PodSet } from '../../operators/podset.js';
import { Brake } from './harness/blocking-operator.js';
import { faultSuite } from './harness/fault-suite.js';
import { Jubilee } from './harness/yearly-operator.js';
import { PersistentWriter } from './harness/persistent-writer.js';
import { CRASH_ROWS } from './rows/crashes.js';
import { HEAP_ROWS } from './rows/heap.js';
import { PROCESS_LIMIT_ROWS } from './rows/process-limits.js';
import { PROCESS_ROWS } from './rows/processes.js';
import { STRANGER_ROWS } from './rows/strangers.js';
import { SUSPENDED_PROCESS_ROWS } from './rows/suspended-processes.js';
import { TAKEOVER_ROWS } from './rows/takeovers.js';

faultSuite({
  title: 'an operator as a process',
  rows: [
    ...CRASH_ROWS,
    ...PROCESS_ROWS,
    ...SUSPENDED_PROCESS_ROWS,
    ...PROCESS_LIMIT_ROWS,
    ...STRANGER_ROWS,
    ...TAKEOVER_ROWS,
    ...HEAP_ROWS,
  ],
  kinds: [PodSet, HelloApp, Mydemo, NodePool, PodBugger, Brake, Jubilee, PersistentWriter],
  parallel: 2,
});
