import { afterAll } from '@jest/globals';
import { PodBugger } from '../../operators/podbugger.js';
import { PodSet } from '../../operators/podset.js';
import { faultSuite } from './harness/fault-suite.js';
import { printReasons } from './harness/fault-table.js';
import { Axle, Gear } from './harness/gear.js';
import { PARALLEL } from './harness/settings.js';
import { NOT_INJECTED } from './known-failures.js';
import { ROWS } from './rows/rows.js';

afterAll(() => {
  printReasons(NOT_INJECTED);
});

faultSuite({
  title: 'a manager behind the fault proxy',
  rows: ROWS,
  kinds: [Gear, Axle, PodBugger, PodSet],
  parallel: PARALLEL,
});
