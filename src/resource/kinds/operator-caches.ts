import { kindKey, type KindRef } from '../../api/kinds/kind-ref.js';
import { OperatorError } from '../../base/operator-error.js';
import type { ResourceModel } from '../model.js';
import { servingKind } from './kinds-of.js';

/**
 * The parts of kinds that an operator caches wherever its classes name no part themselves.
 *
 * They have selectors and transforms only: with `fields`, objects of the kind would lack members that their type has.
 */
export class OperatorCaches {
  private readonly byKind = new Map<string, KindRef>();

  /** @throws OperatorError (E_PART) for what is not a part, for parts with fields, and for two parts of one kind. */
  constructor(parts: readonly KindRef[]) {
    for (const kind of parts) {
      assertUsable(kind);
      if (this.byKind.has(kindKey(kind)))
        throw invalid(`there are two parts of ${kind.kind}`, `combine them: partOf(${kind.kind}, { …all options })`);
      this.byKind.set(kindKey(kind), servingKind(kind));
    }
  }

  /** Returns the model with these parts in place of whole kinds. */
  applyTo(model: ResourceModel): ResourceModel {
    if (this.byKind.size === 0) return model;
    const ownKind = this.cached(model.ownKind);
    const owns = model.owns.map((owned) => ({ ...owned, kind: this.cached(owned.kind) }));
    const watches = model.watches.map((watched) => ({ ...watched, kind: this.cached(watched.kind) }));
    return Object.freeze({ ...model, ownKind, owns: Object.freeze(owns), watches: Object.freeze(watches) });
  }

  private cached(kind: KindRef): KindRef {
    return kind.part ? kind : (this.byKind.get(kindKey(kind)) ?? kind);
  }
}

function assertUsable(kind: Partial<KindRef>): void {
  const { part, kind: name = 'Pod' } = kind;
  if (!part) throw invalid('not a part of a kind', `caches: [partOf(${name}, { labelSelector: '…' })]`);
  if (part.fields)
    throw invalid(
      `the part of ${name} has fields, which objects of ${name} would lack`,
      `name the part in @Watches or @Owns of the classes that need no other fields, or drop fields by \`transform\``,
    );
}

function invalid(problem: string, hint: string): OperatorError {
  return new OperatorError(`caches of the operator: ${problem}`, { code: 'E_PART', hint });
}
