import type { Row } from '../harness/row.js';
import { CONNECTION_ROWS } from './connections.js';
import { RELIST_ROWS } from './relists.js';
import { WATCH_LINE_ROWS } from './watch-lines.js';

/** All rows with a manager in the process of the test, the longest first. */
export const ROWS: readonly Row[] = [...CONNECTION_ROWS, ...WATCH_LINE_ROWS, ...RELIST_ROWS];
