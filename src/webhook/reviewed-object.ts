import type { KubeObject } from '../api/objects/kube-object.js';
import { deepClone } from '../base/deep-clone.js';
import type { JsonObject } from '../base/json-object.js';
import { setMember } from '../base/set-member.js';
import { dehydrate } from '../base/dehydrate.js';
import { hydrate } from '../resource/instances/hydrate.js';
import type { ResourceModel } from '../resource/model.js';
import type { SentVersion } from './convert-request.js';
import { jsonPatchBetween, type PatchOperation } from './json-patch-between.js';
import { discardedChange, rejectedChange } from './rejected-change.js';

/** The object of a review, as the methods see it and as JSON. */
export interface ReviewedObject {
  /** The value that the methods change: an instance of the class, or plain JSON. */
  readonly value: object;
  /**
   * To be called after each method.
   *
   * @throws OperatorError that names the method if it made a change that the API server would reject or drop.
   */
  assertAllowedChange(method: string): void;
  /**
   * To be called after each method that must not change anything.
   *
   * @throws OperatorError that names the method if it did.
   */
  assertUnchanged(method: string): void;
  /**
   * The changes of all methods, as a patch of the object that the API server sent.
   *
   * @param sent the object in the version in which the API server sent it, if that is another one
   */
  patch(sent?: SentVersion): PatchOperation[];
  /** The object with all changes, for another review. */
  result(): ReviewedObject;
}

/** An object with the changes of the methods so far. */
abstract class TrackedObject {
  protected before: JsonObject = {};
  protected after: JsonObject = {};

  constructor(
    protected readonly model: ResourceModel,
    protected readonly subresource: string | undefined,
  ) {}

  assertAllowedChange(method: string): void {
    const before = this.after;
    this.after = this.asJson();
    const error = rejectedChange(this.model, method, this.subresource, before, this.after);
    if (error) throw error;
  }

  assertUnchanged(method: string): void {
    const error = discardedChange(this.model, method, this.before, this.asJson());
    if (error) throw error;
  }

  protected abstract asJson(): JsonObject;
}

/** An object of the class. */
export class ReviewedInstance extends TrackedObject implements ReviewedObject {
  readonly value: object;
  /** Members that are not data: class fields without `@Field`, such as arrow functions. */
  private readonly ignored: ReadonlySet<string>;

  constructor(
    model: ResourceModel,
    private readonly raw: KubeObject,
    subresource: string | undefined,
    /** False saves the time for copies if neither changes nor a patch are needed. */
    isTracked = true,
  ) {
    super(model, subresource);
    this.value = hydrate(model, raw);
    const names = new Set([...Object.keys(raw), ...model.fields.map(({ name }) => name)]);
    this.ignored = new Set(Object.keys(this.value).filter((name) => !names.has(name)));
    if (isTracked) this.before = this.after = this.asJson();
  }

  patch(sent?: SentVersion): PatchOperation[] {
    if (sent) return jsonPatchBetween(sent.object, sent.convert(this.before), sent.convert(this.after));
    return jsonPatchBetween(this.raw as unknown as JsonObject, this.before, this.after);
  }

  result(): ReviewedInstance {
    return new ReviewedInstance(this.model, this.asJson() as unknown as KubeObject, this.subresource);
  }

  protected override asJson(): JsonObject {
    const json: JsonObject = {};
    for (const [name, member] of Object.entries(this.value)) {
      if (member === undefined || this.ignored.has(name)) continue;
      setMember(json, name, dehydrate(member, `${this.model.className}.${name}`));
    }
    return json;
  }
}

/** An object of another kind, such as the Scale of a request for the subresource scale. */
export class ReviewedJson implements ReviewedObject {
  readonly value: object;

  constructor(private readonly raw: KubeObject) {
    this.value = deepClone(raw);
  }

  assertAllowedChange(): void {
    return undefined; // the API server validates it
  }

  assertUnchanged(): void {
    return undefined;
  }

  patch(): PatchOperation[] {
    const raw = this.raw as unknown as JsonObject;
    return jsonPatchBetween(raw, raw, this.asJson() as JsonObject);
  }

  result(): ReviewedJson {
    return new ReviewedJson(this.asJson() as KubeObject);
  }

  private asJson(): unknown {
    return dehydrate(this.value, this.raw.kind ?? 'object');
  }
}

/** An object of a kind that is defined elsewhere, for a class with `@Admission`. */
export class ReviewedForeignObject extends TrackedObject implements ReviewedObject {
  readonly value: object;

  constructor(model: ResourceModel, raw: KubeObject, subresource: string | undefined) {
    super(model, subresource);
    this.value = deepClone(raw);
    this.before = this.after = raw as unknown as JsonObject;
  }

  patch(): PatchOperation[] {
    return jsonPatchBetween(this.before, this.before, this.after);
  }

  result(): ReviewedForeignObject {
    return new ReviewedForeignObject(this.model, this.asJson() as unknown as KubeObject, this.subresource);
  }

  protected override asJson(): JsonObject {
    return dehydrate(this.value, this.model.kind.kind) as JsonObject;
  }
}
