import type { LabelSelector } from '../../api/selection/label-selector.js';
import type { CustomResource } from '../custom-resource.js';
import type { Gated } from '../feature-gates.js';
import type { Review } from '../review.js';

/** Options of a method that reviews writes; the API server applies them before it calls the operator. */
export interface WebhookOptions extends Gated {
  /** The operations to review; default CREATE and UPDATE. A patch or apply is one of these two. */
  readonly on?: readonly ('CREATE' | 'UPDATE' | 'DELETE')[];
  /**
   * Review writes of these subresources, such as `status` or `scale`, instead of those of the object itself. A request
   * for `scale` has a Scale as its object, which only a static method or one of a class with `@Admission` can review.
   */
  readonly subresources?: readonly string[];
  /** `Ignore` lets writes go through while the operator cannot be reached; default `Fail`. */
  readonly failurePolicy?: 'Fail' | 'Ignore';
  /** How long the API server waits, 1 to 10 s; default 5. */
  readonly timeoutSeconds?: number;
  /** A CEL expression over `object`, `oldObject`, `request` and `authorizer`; other writes are not reviewed. */
  readonly match?: string;
  /** Labels of the namespaces in which writes are reviewed; default all. Not for cluster-scoped kinds. */
  readonly namespaceSelector?: LabelSelector;
  /** Labels of the objects to review, before or after the write. Users can evade it by changing labels. */
  readonly objectSelector?: LabelSelector;
  /**
   * Also review updates of objects that are being deleted; default false, so that a rule that came later cannot keep
   * finalizers from being removed.
   */
  readonly whileDeleting?: boolean;
  /** `NoneOnDryRun` for a method that has side effects and skips them when `review.dryRun` is true; default `None`. */
  readonly sideEffects?: 'None' | 'NoneOnDryRun';
  /** Name of the webhook, at least three DNS labels; default `validate.podsets.apps.example.com`. */
  readonly name?: string;
  /** Path of the webhook; default `/validate-apps-example-com-podset`. */
  readonly path?: string;
}

/** The arguments of one `@Mutate` or `@Validate`, and its method. */
export interface WebhookMethodEntry {
  /** Undefined for `@Validate` before a class. */
  readonly method: string | undefined;
  readonly isStatic: boolean;
  readonly options: WebhookOptions & { readonly reinvocation?: boolean };
}

type Done = Promise<void> | void;

/** `unknown` for an instance of a class with `@Admission`, `never` for one of a class with `@Kind`. */
type IfAdmission<T> = T extends CustomResource ? never : unknown;

/**
 * Decorates a method of a class with `@Kind` or `@Admission`. A static method, and any method of a class with
 * `@Admission`, gets the object as its first argument.
 */
export interface WebhookDecorator {
  <T extends CustomResource, M extends (review: Review<T>) => Done>(
    target: T,
    method: string,
    descriptor: TypedPropertyDescriptor<M>,
  ): void;
  <T extends object, M extends (object: never, review: Review<never>) => Done>(
    target: T & IfAdmission<T>,
    method: string,
    descriptor: TypedPropertyDescriptor<M>,
  ): void;
  <M extends (object: never, review: Review) => Done>(
    target: abstract new (...args: never[]) => CustomResource,
    method: string,
    descriptor: TypedPropertyDescriptor<M>,
  ): void;
}
