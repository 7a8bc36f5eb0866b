import type { FindingRule } from '../../controller/controller-metrics.js';
import type { Finding } from '../wire.js';

/** A finding without the members that the doctor adds. */
export type NewFinding = Omit<Finding, 'firstAt' | 'lastAt'>;

/** A finding that no controller has reported yet. */
export interface OwnFinding extends NewFinding {
  readonly rule: FindingRule;
}
