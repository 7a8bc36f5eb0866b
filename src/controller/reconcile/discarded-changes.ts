import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import { OperatorError } from '../../base/operator-error.js';
import { fieldWord, isOfDefinition } from '../../resource/fields/value-model.js';
import { sourceLine } from '../../resource/location.js';
import type { ResourceModel } from '../../resource/model.js';
import { objectOf, desiredStatus, type ReconciledInstance } from '../../resource/instances/reconciled-instance.js';
import { changedPath, snapshot } from '../../resource/instances/snapshot.js';
import { unknownField } from '../../resource/instances/unknown-field.js';

/**
 * Finds changes that a method makes to its instance and that are never written: everything but the status, and status
 * members that the class does not declare.
 *
 * Costs a copy of the object per reconcile, so production does without it.
 */
export class DiscardedChanges {
  private readonly before: Readonly<Record<string, unknown>>;

  /** Must be made before the method is called. */
  constructor(
    private readonly model: ResourceModel,
    private readonly instance: ReconciledInstance,
    /** The name of the user's method. */
    private readonly method: string,
  ) {
    this.before = Object.fromEntries(this.names().map((name) => [name, snapshot(this.member(name))]));
  }

  /** @throws OperatorError that names the first such change. The status is compared with that of `object`. */
  assertNone(object: ReadonlyDeep<KubeObject>): void {
    for (const name of this.names()) {
      const path = changedPath(this.before[name], this.member(name), name);
      if (path !== undefined) throw this.changed(path);
    }
    if (this.model.hasStatus) this.assertKnownStatus(object);
  }

  private names(): string[] {
    const { definesKind, fields } = this.model;
    const others = definesKind ? fields.map(({ name }) => name) : Object.keys(objectOf(this.model, this.instance));
    const names = ['apiVersion', 'kind', 'metadata', 'status', ...others];
    return [...new Set(names)].filter((name) => name !== 'status' || !this.model.hasStatus);
  }

  private member(name: string): unknown {
    return objectOf(this.model, this.instance)[name];
  }

  private changed(path: string): OperatorError {
    const { className, definesKind, kind } = this.model;
    const isStatus = path === 'status' || path.startsWith('status.');
    if (!definesKind)
      return this.error(
        `${className}.object.${path} was changed by ${this.method}; the change is not written`,
        isStatus
          ? '@Controller({ …, writesStatus: true })'
          : `keep the value in a variable, or write it with ctx.patch(${kind.kind}, …) or ctx.update(${kind.kind}, …)`,
      );
    return this.error(
      `${className}.${path} was changed by ${this.method}; the change is not written`,
      isStatus
        ? `declare the status: @Field() status!: ${className}Status`
        : `keep the value in a variable, or write it with ctx.update(${className}, …) or ctx.patch(${className}, …)`,
    );
  }

  private assertKnownStatus(object: ReadonlyDeep<KubeObject>): void {
    const status = this.model.fields.find(({ name }) => name === 'status');
    if (!status) return;
    const { status: before } = object as { readonly status?: unknown };
    const unknown = unknownField(desiredStatus(this.model, this.instance), before, status.value);
    if (!unknown) return;
    const { path, name, classModel } = unknown;
    const owner = classModel.className || 'its type';
    throw this.error(
      `${this.model.className}.status${path} was set by ${this.method}, but ${owner} has no ${fieldWord(classModel)} ${name}; it is not written`,
      isOfDefinition(classModel) ? `correct the name, or remove ${name}` : `add @Field() ${name} to ${owner}`,
    );
  }

  private error(message: string, hint: string): OperatorError {
    const source = sourceLine({ target: this.model.target, member: this.method });
    return new OperatorError(source === undefined ? message : `${source} ${message}`, { code: 'E_DISCARDED', hint });
  }
}
