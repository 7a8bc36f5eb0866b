/**
 * What a change of an API does to those who use it.
 *
 * - `breaking`: something that clients name or stored objects hold was removed or changed its meaning, or a nested field
 *   became required.
 * - `tightening`: the same fields accept fewer values, or a field of the kind itself, such as `spec`, became required, so
 *   that a valid request may be rejected.
 * - `safe`: requests and objects that were valid stay valid.
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
