import { toKindRef, type KindLike, type KindRef } from '../../api/kind-ref.js';
import type { PolicyRule, Verb } from '../../api/policy-rule.js';
import type { Predicate } from '../../api/predicate.js';
import { OWNS } from '../decorators/owns.js';
import { RBAC, type RbacEntry, type RbacResources, type SweepingRight } from '../decorators/rbac.js';
import { WATCHES } from '../decorators/watches.js';
import type { Mapper } from '../mapper.js';
import { inheritedMetadata } from '../metadata.js';
import type { Mistakes } from '../mistakes.js';

/** A kind whose objects are owned. */
export interface OwnedKind {
  readonly kind: KindRef;
  readonly predicate?: Predicate;
  readonly verbs: readonly Verb[];
}

/** A kind whose objects are mapped. */
export interface WatchedKind {
  readonly kind: KindRef;
  readonly mapper: Mapper;
  readonly predicate?: Predicate;
}

const OWNER_VERBS: readonly Verb[] = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];
const VERBS = new Set<string>([...OWNER_VERBS, 'deletecollection', 'use', '*', 'bind', 'escalate', 'impersonate']);
const SWEEPING: readonly SweepingRight[] = ['*', 'bind', 'escalate', 'impersonate'];

/** Reads what a class says of other kinds, its base classes' words included. */
export class Relations {
  private readonly className: string;

  constructor(
    private readonly target: abstract new (...args: never[]) => object,
    private readonly kind: KindRef,
    private readonly mistakes: Mistakes,
  ) {
    this.className = target.name;
  }

  owns(): OwnedKind[] {
    return inheritedMetadata(OWNS, this.target).flatMap(({ kind, options }) => {
      const owned = this.reference(kind, '@Owns');
      if (!owned) return [];
      if (this.kind.scope === 'Namespaced' && owned.scope === 'Cluster')
        this.wrong(
          `@Owns(${owned.kind}): a namespaced object cannot own one of cluster scope`,
          `@Kind({ …, scope: 'Cluster' }), or clean up in a @Finalizer method`,
        );
      const verbs = options.verbs ?? OWNER_VERBS;
      this.checkVerbs(`@Owns(${owned.kind})`, verbs, []);
      return [{ kind: owned, verbs, ...(options.predicate && { predicate: options.predicate }) }];
    });
  }

  watches(): WatchedKind[] {
    return inheritedMetadata(WATCHES, this.target).flatMap(({ kind, mapper, options }) => {
      const watched = this.reference(kind, '@Watches');
      if (!watched) return [];
      if (typeof (mapper as unknown) !== 'function')
        this.wrong(`@Watches(${watched.kind}): has no mapper`, `@Watches(${watched.kind}, byLabel('…'))`);
      return [{ kind: watched, mapper, ...(options.predicate && { predicate: options.predicate }) }];
    });
  }

  rules(): PolicyRule[] {
    return inheritedMetadata(RBAC, this.target).flatMap((entry) => {
      const on = this.resources(entry);
      if (!on) return [];
      const { groups, resources, resourceNames } = on;
      this.checkRule(on, entry.verbs);
      const rule: PolicyRule = { apiGroups: [...groups], resources: [...resources], verbs: [...entry.verbs] };
      return [resourceNames ? { ...rule, resourceNames: [...resourceNames] } : rule];
    });
  }

  private resources({ on }: RbacEntry): RbacResources | undefined {
    if (typeof on !== 'function' && typeof on === 'object' && 'resources' in on) return on;
    const kind = this.reference(on, '@Rbac');
    return kind && { groups: [kind.group], resources: [kind.plural] };
  }

  private reference(kind: KindLike, decorator: string): KindRef | undefined {
    const shown = typeof kind === 'function' ? kind.name : typeof kind;
    try {
      const reference = toKindRef(kind) as KindRef | undefined;
      if (typeof reference?.plural === 'string') return reference;
    } catch {
      // It is said below, with the decorator's name.
    }
    const hint =
      kind === (undefined as unknown)
        ? 'move that class above this one'
        : '@Kind({ group, version }) before that class';
    this.wrong(`${decorator}(${shown}): is no kind`, hint);
    return undefined;
  }

  private checkRule({ groups, resources, allow = [] }: RbacResources, verbs: readonly Verb[]): void {
    const rule = `@Rbac(${resources.join(', ')})`;
    this.checkVerbs(rule, verbs, allow);
    if ([...groups, ...resources].includes('*')) this.checkSweeping(rule, '*', allow);
    if (resources.length === 0 || groups.length === 0)
      this.wrong(`${rule}: names no resource`, `resources: ['pods/log']`);
    for (const resource of resources.filter(
      (name) => name !== '*' && !/^([a-z0-9-]+|\*)(\/([a-z0-9-]+|\*))?$/.test(name),
    ))
      this.wrong(`${rule}: '${resource}' is no plural name`, `'pods', or 'pods/log' for a subresource`);
  }

  private checkVerbs(rule: string, verbs: readonly string[], allow: readonly SweepingRight[]): void {
    if (verbs.length === 0) this.wrong(`${rule}: names no verb`, `'get', 'list', 'watch'`);
    for (const verb of verbs) {
      if (!VERBS.has(verb)) this.wrong(`${rule}: verb '${verb}' is unknown`, [...VERBS].slice(0, 8).join(', '));
      const sweeping = SWEEPING.find((right) => right === verb);
      if (sweeping) this.checkSweeping(rule, sweeping, allow);
    }
  }

  private checkSweeping(rule: string, right: SweepingRight, allow: readonly SweepingRight[]): void {
    if (!allow.includes(right))
      this.wrong(
        `${rule}: '${right}' gives more than an operator should have`,
        `name what it needs, or allow: ['${right}']`,
      );
  }

  private wrong(problem: string, hint: string): void {
    this.mistakes.add({ className: this.className }, problem, hint);
  }
}
