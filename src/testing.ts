export { eventually, type EventuallyOptions } from './base/eventually.js';
export { FakeClock } from './base/fake-clock.js';
export type { Cancel, Clock } from './base/clock.js';
