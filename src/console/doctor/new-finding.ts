import type { Finding } from '../wire.js';

/** A finding without the members that the doctor adds. */
export type NewFinding = Omit<Finding, 'firstAt' | 'lastAt'>;
