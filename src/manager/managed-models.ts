import { kindKey } from '../api/kinds/kind-ref.js';
import { OperatorError } from '../base/operator-error.js';
import { Diagnostics } from '../resource/diagnostics.js';
import { isRun } from '../resource/is-run.js';
import { UniqueNames } from '../resource/uniqueness.js';
import type { ResourceModel } from '../resource/model.js';

/** The models of a manager; their names are unique. The time to add a model does not depend on their number. */
export class ManagedModels {
  /** In the order in which they were added. */
  readonly all: ResourceModel[] = [];
  private readonly byKind = new Map<string, ResourceModel>();
  private readonly byController = new Map<string, ResourceModel>();
  private readonly names = new UniqueNames();

  /** @throws OperatorError for a class that does nothing, or that shares a name with another one. */
  add(model: ResourceModel): void {
    const { className, kind, controller } = model;
    if (!isRun(model))
      throw managerMistake(
        `${className} has no reconcile method to run`,
        'async reconcile(ctx: Context): Promise<void>',
      );
    const sameKind = model.definesKind && this.byKind.get(kindKey(kind));
    if (sameKind) {
      throw managerMistake(
        `${className} and ${sameKind.className} are of the same kind ${kindKey(kind)}`,
        'add each kind once',
      );
    }
    const sameName = model.isReconciled && this.byController.get(controller.name);
    if (sameName) {
      throw managerMistake(
        `the controllers of ${className} and ${sameName.className} have the same name ${controller.name}`,
        `@Controller({ name: '…' })`,
      );
    }
    const diagnostics = new Diagnostics();
    this.names.collectModel(model, diagnostics);
    diagnostics.throwIfAny();
    this.all.push(model);
    this.names.add(model);
    if (model.definesKind) this.byKind.set(kindKey(kind), model);
    if (model.isReconciled) this.byController.set(controller.name, model);
  }

  /** The model of a class; undefined if it was not added. */
  find(resource: (abstract new () => object) | ResourceModel): ResourceModel | undefined {
    const wanted = typeof resource === 'function' ? resource : resource.target;
    return this.all.find(({ target }) => target === wanted);
  }

  /** @throws OperatorError if the other version of a class shares a name with another class; then the earlier one stays. */
  replace(previous: ResourceModel, next: ResourceModel): void {
    this.delete(previous);
    try {
      this.add(next);
    } catch (error) {
      this.add(previous);
      throw error;
    }
  }

  delete(model: ResourceModel): void {
    this.all.splice(this.all.indexOf(model), 1);
    this.names.delete(model);
    if (model.definesKind) this.byKind.delete(kindKey(model.kind));
    if (model.isReconciled) this.byController.delete(model.controller.name);
  }
}

export function managerMistake(message: string, hint: string): OperatorError {
  return new OperatorError(message, { code: 'E_MANAGER', hint });
}
