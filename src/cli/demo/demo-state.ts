import { kindKey, type KindRef } from '../../api/kinds/kind-ref.js';
import type { UnstructuredObject } from '../../api/objects/kube-object.js';
import { controllerOf } from '../../api/kinds/owner-reference.js';
import type { ResourceModel } from '../../resource/model.js';
import { rowOf, type Row } from './row.js';

/** The objects that the demo shows: those of the operators' kinds, of the kinds they own and of the kinds they watch. */
export class DemoState {
  /** In the order of the table. */
  readonly kinds: readonly KindRef[];
  private readonly operatorsKinds: ReadonlySet<string>;
  private readonly objects = new Map<string, Map<string, UnstructuredObject>>();

  constructor(models: readonly ResourceModel[]) {
    const own = models.map(({ kind }) => kind);
    const touched = models.flatMap(({ owns, watches }) => [...owns, ...watches]).map(({ kind }) => kind);
    this.operatorsKinds = new Set(own.map(kindKey));
    this.kinds = [...new Map([...own, ...touched].map((kind) => [kindKey(kind), kind])).values()];
    for (const kind of this.kinds) this.objects.set(kindKey(kind), new Map());
  }

  /** The last known state of an object. */
  get(kind: KindRef, object: UnstructuredObject): UnstructuredObject | undefined {
    return this.of(kind).get(keyOf(object));
  }

  set(kind: KindRef, object: UnstructuredObject): void {
    this.of(kind).set(keyOf(object), object);
  }

  remove(kind: KindRef, object: UnstructuredObject): void {
    this.of(kind).delete(keyOf(object));
  }

  /** Removes all objects of a kind, before a watch lists them again. */
  clear(kind: KindRef): void {
    this.of(kind).clear();
  }

  /** The objects of a kind, sorted by namespace and name. */
  list(kind: KindRef): UnstructuredObject[] {
    return [...this.of(kind)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
  }

  /** The objects of a kind that an object of an operator controls. */
  listOwned(kind: KindRef): UnstructuredObject[] {
    const kinds = new Set(this.kinds.filter((own) => this.operatorsKinds.has(kindKey(own))).map((own) => own.kind));
    return this.list(kind).filter((object) => kinds.has(controllerOf(object)?.kind ?? ''));
  }

  rows(): Row[] {
    return this.kinds.flatMap((kind) =>
      this.list(kind).map((object) => rowOf(kind.kind, object, this.operatorsKinds.has(kindKey(kind)))),
    );
  }

  private of(kind: KindRef): Map<string, UnstructuredObject> {
    return this.objects.get(kindKey(kind)) ?? new Map<string, UnstructuredObject>();
  }
}

function keyOf({ metadata }: UnstructuredObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}
