/**
 * The effect of an API change on its clients and stored objects.
 *
 * - `breaking`: something that clients use or stored objects contain was removed or changed its meaning, or a nested
 * field
 * became required.
 * - `tightening`: the same fields accept fewer values, or a field of the kind itself, such as `spec`, became required,
 * so
 * that a valid request may be rejected.
 * - `safe`: requests and objects that were valid remain valid.
 */
export type Severity = 'breaking' | 'tightening' | 'safe';

/** One difference between two versions of an API. */
export interface ApiChange {
  readonly severity: Severity;
  /** The name of the CustomResourceDefinition: `podsets.apps.example.com`. */
  readonly definition: string;
  /** Undefined for changes that concern all versions. */
  readonly version: string | undefined;
  /** `.spec.items[].name`; empty for changes that concern no field. */
  readonly path: string;
  readonly what: string;
}
