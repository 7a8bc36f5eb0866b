import { ROW_LIMIT_MS } from './harness/settings.js';
import { limitTests } from '../time-limits.js';

// Tests await rows that run in the background; each row has a limit of its own.
limitTests(Math.max(900_000, 3 * ROW_LIMIT_MS));
