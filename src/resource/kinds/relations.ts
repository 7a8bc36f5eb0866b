import { cacheKey, toKindRef, type KindLike, type KindRef } from '../../api/kinds/kind-ref.js';
import type { Verb } from '../../api/access/policy-rule.js';
import type { Predicate } from '../../api/events/predicate.js';
import { OWNS } from '../decorators/owns.js';
import { RBAC } from '../decorators/rbac.js';
import { WATCHES } from '../decorators/watches.js';
import type { Mapper } from '../mapper.js';
import { decoratorUse, inheritedMetadata, type MetadataKey } from '../metadata.js';
import type { Diagnostics } from '../diagnostics.js';
import { DEPENDENT_VERBS, type DependentModel } from './dependents.js';
import { collectVerbs, declaredRule, kindRule, type DeclaredRule, type Report } from './declared-rule.js';

/** An owned kind. */
export interface OwnedKind {
  readonly kind: KindRef;
  readonly predicate?: Predicate;
  /** True if owners that are not controllers count too. */
  readonly anyOwner?: boolean;
  readonly verbs: readonly Verb[];
  /** True for a kind that only `@Dependent` names. */
  readonly isImplied?: true;
}

/** A watched kind. Its objects are mapped to requests. */
export interface WatchedKind {
  readonly kind: KindRef;
  readonly mapper: Mapper;
  readonly predicate?: Predicate;
}

const OWNER_VERBS: readonly Verb[] = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];

/** Reads the `@Owns`, `@Watches` and `@Rbac` decorators of a class and its base classes. */
export class Relations {
  constructor(
    private readonly target: abstract new (...args: never[]) => object,
    private readonly kind: KindRef,
    private readonly diagnostics: Diagnostics,
  ) {}

  /** The kinds of `@Owns`, then those that only `@Dependent` names; those that are observed only are watched on demand. */
  owns(dependents: readonly DependentModel[]): OwnedKind[] {
    const declared = this.declaredOwns();
    const declaredKeys = declared.map(({ kind }) => cacheKey(kind));
    const written = dependents.filter(({ options }) => options.observeOnly !== true);
    const implied = new Map(written.map(({ kind }) => [cacheKey(kind), kind]));
    for (const key of declaredKeys) implied.delete(key);
    return [
      ...declared,
      ...[...implied.values()].map((kind) => ({ kind, verbs: DEPENDENT_VERBS, isImplied: true as const })),
    ];
  }

  private declaredOwns(): OwnedKind[] {
    return inheritedMetadata(OWNS, this.target).flatMap(({ kind, options }, index) => {
      const report = this.reporter(OWNS, index);
      const owned = this.reference(kind, '@Owns', report);
      if (!owned) return [];
      if (this.kind.scope === 'Namespaced' && owned.scope === 'Cluster')
        report(
          `@Owns(${owned.kind}): a namespaced object cannot own a cluster-scoped one`,
          `@Kind({ …, scope: 'Cluster' }), or delete it in a @Finalizer method`,
        );
      const { predicate, anyOwner = false, verbs = OWNER_VERBS } = options;
      collectVerbs(`@Owns(${owned.kind})`, verbs, [], report);
      return [{ kind: owned, verbs, ...(predicate && { predicate }), ...(anyOwner && { anyOwner }) }];
    });
  }

  watches(): WatchedKind[] {
    return inheritedMetadata(WATCHES, this.target).flatMap(({ kind, mapper, options }, index) => {
      const report = this.reporter(WATCHES, index);
      const watched = this.reference(kind, '@Watches', report);
      if (!watched) return [];
      if (typeof (mapper as unknown) !== 'function')
        report(`@Watches(${watched.kind}): missing mapper`, `@Watches(${watched.kind}, byLabel('…'))`);
      return [{ kind: watched, mapper, ...(options.predicate && { predicate: options.predicate }) }];
    });
  }

  /** @param hasClusters true for a class of objects in other clusters */
  rules(hasClusters: boolean): DeclaredRule[] {
    return inheritedMetadata(RBAC, this.target).flatMap((entry, index) => {
      const { on, verbs, options } = entry;
      const report = this.reporter(RBAC, index);
      const isForClusters = 'clusters' in on ? on.clusters : options?.clusters;
      if (isForClusters && !hasClusters)
        report(
          '@Rbac: clusters requires a class with clusters',
          `@Controller({ clusters: 'all' }), or remove clusters`,
        );
      const isNamed = typeof on !== 'function' && typeof on === 'object' && ('resources' in on || 'urls' in on);
      if (isNamed) return [declaredRule(on, verbs, report)];
      const kind = this.reference(on, '@Rbac', report);
      return kind ? [kindRule(kind, entry, report)] : [];
    });
  }

  private reference(kind: KindLike, decorator: string, report: Report): KindRef | undefined {
    const shown = typeof kind === 'function' ? kind.name : '';
    try {
      const reference = toKindRef(kind) as KindRef | undefined;
      if (typeof reference?.plural === 'string') return reference;
    } catch {
      // reported below, with the decorator's name
    }
    if (typeof kind === 'function')
      report(`${decorator}(${shown}): not a class with @Kind`, 'add @Kind({ group, version }) to that class');
    else if (kind === (undefined as unknown))
      report(
        `${decorator}(undefined): not a class with @Kind`,
        'name a kind; move a class that is below above this one',
      );
    else report(`${decorator}: the first argument is not a kind`, `${decorator}(Deployment), or a class with @Kind`);
    return undefined;
  }

  /** Reports problems of one use of a decorator. */
  private reporter(key: MetadataKey<unknown>, index: number): Report {
    const { target } = this;
    const location = { target, decorator: decoratorUse(key, target, index) };
    return (problem, hint) => {
      this.diagnostics.add(location, problem, hint);
    };
  }
}
