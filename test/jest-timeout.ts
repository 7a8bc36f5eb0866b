import { limitTests } from './time-limits.js';

// Commands start as processes within; on a busy machine one takes seconds. Nothing waits this long that works.
limitTests(60_000);
