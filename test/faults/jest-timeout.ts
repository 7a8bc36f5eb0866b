import { jest } from '@jest/globals';
import { ROW_LIMIT_MS } from './harness/settings.js';

// Tests await rows that run in the background; each row has a limit of its own.
jest.setTimeout(Math.max(900_000, 3 * ROW_LIMIT_MS));
