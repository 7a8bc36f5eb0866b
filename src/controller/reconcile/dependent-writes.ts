import type { KindRef } from '../../api/kinds/kind-ref.js';
import type { Desired, KubeObject } from '../../api/objects/kube-object.js';
import { deepClone } from '../../base/deep-clone.js';
import type { DependentModel } from '../../resource/kinds/dependents.js';
import { withConfigHash } from './config-hash.js';
import { DEPENDENT_ANNOTATION } from './dependent-deletions.js';
import { DependentRecreation } from './dependent-recreation.js';
import { desiredAddress } from './desired-address.js';
import { KeptObjects } from './kept-objects.js';
import type { ReconcileScope } from './reconcile-scope.js';
import type { WrittenDependent } from './written-dependent.js';

/** Writes, or only reads, the objects that `@Dependent` methods have returned, by the options of the method. */
export class DependentWrites {
  private readonly recreation = new DependentRecreation();
  private readonly kept: KeptObjects;

  constructor(ownerKind: KindRef) {
    this.kept = new KeptObjects(ownerKind);
  }

  async write(run: ReconcileScope, dependent: DependentModel, desired: Desired<KubeObject>): Promise<WrittenDependent> {
    const { method, kind, options } = dependent;
    const { context } = run;
    if (options.observeOnly === true) return observe(run, kind, desired);
    const annotations = { ...desired.metadata.annotations, [DEPENDENT_ANNOTATION]: method };
    const marked = { ...desired, metadata: { ...desired.metadata, annotations } };
    const object = options.configHash === true ? await withConfigHash(context, kind, marked) : marked;
    if (options.onDelete === 'keep') return { live: await this.kept.write(run, dependent, object) };
    if (options.recreate === 'immutable') return this.recreation.apply(run, dependent, object);
    return { live: await (options.createOnly === true ? context.create(kind, object) : context.apply(kind, object)) };
  }
}

/** The changes of the object reconcile the owner, as it declares the object in each reconcile. */
async function observe(
  { context }: ReconcileScope,
  kind: KindRef,
  desired: Desired<KubeObject>,
): Promise<WrittenDependent> {
  const { name, at } = desiredAddress(desired);
  const isServed = await context.watch(kind, { name, ...at });
  const live = isServed ? await context.get(kind, name, at) : undefined;
  if (live) return { live: deepClone(live) as KubeObject };
  const why = isServed ? `${kind.kind} ${name} does not exist` : `${kind.kind} is not installed`;
  return { wait: { why } };
}
