import type { Row } from '../harness/row.js';
import { CONNECTION_ROWS } from './connections.js';
import { CREDENTIAL_ROWS } from './credentials.js';
import { DEFINITION_ROWS } from './definitions.js';
import { FOREIGN_OBJECT_ROWS } from './foreign-objects.js';
import { LIFECYCLE_ROWS } from './lifecycles.js';
import { LIST_ROWS } from './lists.js';
import { OWN_WRITE_ROWS } from './own-writes.js';
import { RECONCILE_ROWS } from './reconciles.js';
import { RELIST_ROWS } from './relists.js';
import { SECRET_ROWS } from './secrets.js';
import { STALE_SERVER_ROWS } from './stale-server.js';
import { THIRD_PARTY_ROWS } from './third-parties.js';
import { WATCH_LINE_ROWS } from './watch-lines.js';
import { WRITE_ROWS } from './writes.js';

/** All rows with a manager in the process of the test, the longest first. */
export const ROWS: readonly Row[] = [
  ...THIRD_PARTY_ROWS,
  ...SECRET_ROWS,
  ...STALE_SERVER_ROWS,
  ...CONNECTION_ROWS,
  ...OWN_WRITE_ROWS,
  ...WRITE_ROWS,
  ...FOREIGN_OBJECT_ROWS,
  ...WATCH_LINE_ROWS,
  ...RELIST_ROWS,
  ...RECONCILE_ROWS,
  ...LIFECYCLE_ROWS,
  ...LIST_ROWS,
  ...CREDENTIAL_ROWS,
  ...DEFINITION_ROWS,
];
