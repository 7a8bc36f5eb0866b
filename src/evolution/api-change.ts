/**
 * What a change of an API does to those who use it.
 *
 * - `breaking`: something that clients name or stored objects hold is gone, means something else, or must be given now.
 * - `tightening`: the same names take fewer values, so that a request that was good may be refused.
 * - `safe`: what worked goes on to work.
 */
export type Severity = 'breaking' | 'tightening' | 'safe';

/** One difference between two states of an API. */
export interface ApiChange {
  readonly severity: Severity;
  /** The name of the CustomResourceDefinition: `podsets.apps.example.com`. */
  readonly definition: string;
  /** None for what concerns all versions. */
  readonly version: string | undefined;
  /** `.spec.items[].name`; empty for what concerns no field. */
  readonly path: string;
  readonly what: string;
}
