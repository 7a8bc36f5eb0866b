import { jest } from '@jest/globals';

// Commands start as processes within; on a busy machine one takes seconds. Nothing waits this long that works.
jest.setTimeout(60_000);
