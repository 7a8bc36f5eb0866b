import type { Chooser } from './chooser.js';

/** A subresource that does something, rather than being a view of the object. */
export interface RandomAction {
  readonly name: string;
  /** Default: POST of JSON. */
  readonly method?: string;
  readonly contentType?: string;
  body(choose: Chooser, name: string): object;
}

/** One kind that random requests are made for. */
export interface RandomKind {
  /** Its name in the report. */
  readonly title: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  /** Default: one that all kinds share. */
  readonly namespace?: string;
  /** Default: namespaced. */
  readonly isClusterScoped?: boolean;
  /** True if objects without a name get a generated one, so that later requests cannot find them. */
  readonly namesItself?: boolean;
  /** Whether every write is a dry run, over objects that are there from the start. */
  readonly isTried?: boolean;
  /** Of its objects; default: those that all kinds share. */
  readonly names?: readonly string[];
  /** Custom kinds have no strategic merge patch. */
  readonly isCustom?: boolean;
  readonly subresources?: readonly string[];
  readonly actions?: readonly RandomAction[];
  /** Field selectors it knows. */
  readonly fieldSelectors?: readonly string[];
  /** Other versions that serve the same objects. */
  readonly otherVersions?: readonly string[];
  /** Everything but apiVersion, kind and metadata. */
  body(choose: Chooser): object;
  /** A merge patch. */
  change(choose: Chooser): object;
  /** JSON patch operations. */
  operations(choose: Chooser): readonly object[];
  /** The `status` of a write to the status subresource. */
  status?(choose: Chooser): object;
}
