import { OperatorError } from '../base/operator-error.js';
import { missingReconcile } from '../manifests/problems/missing-reconcile.js';
import { isRun } from '../resource/is-run.js';
import type { ResourceModel } from '../resource/model.js';

/** @throws OperatorError when there is nothing to run: no `reconcile` method and no webhook; its hint names a method that may be misspelled. */
export function assertReconciled(models: readonly ResourceModel[]): void {
  if (models.some(isRun)) return;
  const problems = models.flatMap(missingReconcile);
  throw new OperatorError(`no reconcile method in ${models.map(({ className }) => className).join(', ')}`, {
    code: 'E_NO_OPERATOR',
    hint:
      problems.length > 0 ? problems.join('\n') : 'add to a class: async reconcile(ctx: Context): Promise<void> { … }',
  });
}
