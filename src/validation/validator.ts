import type { KubeObject } from '../api/objects/kube-object.js';
import { apiVersionOf } from '../api/kinds/kind-ref.js';
import type { CustomObjectChecker } from '../apiserver/custom-object-checker.js';
import { isJsonObject, objectAt, type JsonObject } from '../base/json-object.js';
import { dehydrate } from '../base/dehydrate.js';
import { hydrate } from '../resource/instances/hydrate.js';
import type { ResourceModel } from '../resource/model.js';
import { hasRuntimeRules, runtimeProblems } from '../resource/instances/runtime-problems.js';

/** A reason why the API server would reject an object, as in `details.causes` of its response. */
export interface ValidationCause {
  /** A path such as `spec.ports[0].name`; `<nil>` or empty where the server reports no field. */
  readonly field: string;
  /** Such as `FieldValueInvalid` or `FieldValueRequired`. */
  readonly reason: string;
  readonly message: string;
}

/** Validates objects of one class like the API server. */
export class Validator {
  /** Resolves when ajv, the CRD and the server's code are loaded; programs that do not validate never load them. */
  static async load(model: ResourceModel): Promise<Validator> {
    const [{ CustomObjectChecker: Checker }, { customResourceDefinition }] = await Promise.all([
      import('../apiserver/custom-object-checker.js'),
      import('../manifests/crd/crd.js'),
    ]);
    return new Validator(model, new Checker(customResourceDefinition(model).spec, model.kind.version));
  }

  private constructor(
    private readonly model: ResourceModel,
    private readonly checker: CustomObjectChecker,
  ) {}

  /** Returns the causes for which the server would reject the object; empty for a valid one. */
  causes(object: object, old: object | undefined): ValidationCause[] {
    const [next, former] = [this.complete(object), old && this.complete(old)];
    const causes = this.checker.causes(next, former);
    if (causes.length === 0) return this.runtimeCauses(next, former);
    return causes.map(({ field = '', reason = '', message = '' }) => ({ field, reason, message }));
  }

  /** The same as `@Validate()` before the class: class-validator checks objects that the schema allows. */
  private runtimeCauses(object: JsonObject, old: JsonObject | undefined): ValidationCause[] {
    const { fields } = this.model;
    if (!hasRuntimeRules(fields)) return [];
    const instance = hydrate(this.model, object as unknown as KubeObject);
    const problems = runtimeProblems(fields, instance, old);
    return problems.map(({ field, message }) => ({ field, reason: 'FieldValueInvalid', message }));
  }

  /** Adds the fields that clients add before they send an object. */
  private complete(object: object): JsonObject {
    const { className, kind } = this.model;
    const plain = dehydrate(object, className);
    const given = isJsonObject(plain) ? plain : {};
    const namespace = kind.scope === 'Cluster' ? {} : { namespace: 'default' };
    const metadata = { ...namespace, ...objectAt(given, 'metadata') };
    return { apiVersion: apiVersionOf(kind), kind: kind.kind, ...given, metadata };
  }
}
