import { kindKey, type KindRef } from '../../api/kinds/kind-ref.js';
import { covers } from '../../api/access/rule-covers.js';
import type { Logger } from '../../base/logger.js';
import { sourceLine } from '../../resource/location.js';
import { kindsOf, wholeKinds } from '../../resource/kinds/kinds-of.js';
import type { ResourceModel } from '../../resource/model.js';

/**
 * Warns of kinds that a controller uses without watching them: their changes do not lead to a reconcile.
 *
 * Guarantees: one warning per kind, at the first owned write or read. Kinds named in `@Kind`, `@Owns` or `@Watches` are
 * watched; whole objects of a kind that is cached in part are not. A read is intended when `@Rbac` grants its verb; writes of objects that are not owned are always intended.
 */
export class UnwatchedKinds {
  private readonly watched: ReadonlySet<string>;
  /** The kinds with only some fields or objects in the cache. */
  private readonly inPart: ReadonlySet<string>;
  private readonly ownedWrites = new Map<string, KindRef>();
  private readonly reported = new Set<string>();

  constructor(
    private readonly model: ResourceModel,
    private readonly logger: Logger,
  ) {
    const kinds = kindsOf(model);
    this.watched = new Set(kinds.map(kindKey));
    const whole = wholeKinds(kinds);
    this.inPart = new Set([...this.watched].filter((key) => !whole.has(key)));
  }

  /** Must be called before an object of the kind that the reconciled object owns is written. */
  ownedWrite(kind: KindRef): void {
    const key = kindKey(kind);
    if (this.watched.has(key)) return;
    this.ownedWrites.set(key, kind);
    const { className } = this.model;
    this.warn(
      kind,
      `${className} owns ${kind.kind} objects but does not watch them: a change of one does not reconcile its owner`,
      `add @Owns(${kind.kind}) to ${this.place()}`,
    );
  }

  /** Must be called before objects of the kind are read from the server. */
  read(kind: KindRef, verb: 'get' | 'list'): void {
    const isInPart = this.inPart.has(kindKey(kind)) && !kind.part;
    if (this.watched.has(kindKey(kind)) && !isInPart) return;
    const target = { group: kind.group, resource: kind.plural, verb };
    if (this.model.rules.some(({ rule }) => covers(rule, target))) return;
    const { className } = this.model;
    if (isInPart) {
      this.warn(
        kind,
        `${className} caches only a part of ${kind.kind} objects, so ctx.${verb}(${kind.kind}) is a request to the server`,
        `pass the part to ctx.${verb}, or add @Rbac(${kind.kind}, '${verb}') to ${this.place()} if whole objects are needed`,
      );
      return;
    }
    this.warn(
      kind,
      `${className} reads ${kind.kind} objects but does not watch them: a change of one does not lead to a reconcile`,
      `add @Watches(${kind.kind}, …) to ${this.place()}, @Owns(${kind.kind}) if it creates them, or @Rbac(${kind.kind}, '${verb}') if no reconcile is needed`,
    );
  }

  /** The kind of a resource that was written as owned although it is not watched. */
  ownedWriteOf(group: string, resource: string): KindRef | undefined {
    return [...this.ownedWrites.values()].find((kind) => kind.group === group && kind.plural === resource);
  }

  /** `Database (operators/database.ts:12)`. */
  private place(): string {
    const source = sourceLine({ target: this.model.target });
    return source === undefined ? this.model.className : `${this.model.className} (${source})`;
  }

  private warn(kind: KindRef, message: string, hint: string): void {
    const key = kindKey(kind);
    if (this.reported.has(key)) return;
    this.reported.add(key);
    this.logger.warn(message, { hint });
  }
}
