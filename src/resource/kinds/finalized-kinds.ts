import { resourceName, type KindRef } from '../../api/kinds/kind-ref.js';
import type { ResourceModel } from '../model.js';

/**
 * The kinds that classes define with finalizers of the operator: only a running operator lets them be
 * deleted. Each kind once, in one of its versions, without those of other clusters.
 */
export function finalizedKinds(models: readonly ResourceModel[]): KindRef[] {
  const finalized = models.filter(
    ({ definesKind, finalizers, controller }) =>
      definesKind && finalizers.length > 0 && controller.clusters === undefined,
  );
  return [...new Map(finalized.map(({ kind }) => [resourceName(kind), kind])).values()];
}
