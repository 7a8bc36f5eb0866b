import { apiVersionOf, type KindRef } from '../../api/kinds/kind-ref.js';
import { deepClone } from '../../base/deep-clone.js';
import { isJsonObject, objectAt, type JsonObject } from '../../base/json-object.js';
import { CONVERTS_TO, type ConversionFunctions } from '../decorators/converts-to.js';
import { dehydrate } from '../../base/dehydrate.js';
import type { ClassModel } from '../fields/value-model.js';
import { ownMetadata } from '../metadata.js';
import { compileSteps, type CompiledSteps } from './compiled-steps.js';
import { convertBySteps, withoutDropped } from './convert-by-steps.js';
import { readKept, withKept } from './kept-annotation.js';

/** A class that is one version of a kind. */
export interface ConvertibleVersion {
  readonly target: object;
  readonly className: string;
  readonly kind: KindRef;
  readonly classModel: ClassModel;
}

type Rules = { readonly steps: CompiledSteps } | { readonly functions: ConversionFunctions<unknown, unknown> };

interface Spoke {
  readonly version: ConvertibleVersion;
  readonly rules: Rules;
}

/** Converts objects between the versions of one kind, through the hub. */
export class KindConversion {
  /** Returns undefined for a kind without `@ConvertsTo`. */
  static of(versions: readonly ConvertibleVersion[]): KindConversion | undefined {
    const spokes = versions.filter(({ target }) => ownMetadata(CONVERTS_TO, target).length > 0);
    const [hub, ...others] = versions.filter((version) => !spokes.includes(version));
    return spokes.length === 0 || !hub || others.length > 0 ? undefined : new KindConversion(hub, spokes);
  }

  private readonly spokes: ReadonlyMap<string, Spoke>;

  private constructor(
    readonly hub: ConvertibleVersion,
    spokes: readonly ConvertibleVersion[],
  ) {
    this.spokes = new Map(
      spokes.map((version) => [apiVersionOf(version.kind), { version, rules: rulesOf(version, hub) }]),
    );
  }

  /** The kind in the hub's version. */
  get kind(): KindRef {
    return this.hub.kind;
  }

  /**
   * Converts an object to a version such as `v1`. Does not change the object; one that has the version already is
   * returned as it is.
   *
   * @param apiVersion group and version: `apps.example.com/v1`
   * @throws RangeError for a version that the kind does not have; an error of the user's function.
   */
  convert(object: JsonObject, apiVersion: string): JsonObject {
    if (object.apiVersion === apiVersion && this.has(apiVersion)) return object;
    return this.fromHub(this.toHub(object), apiVersion);
  }

  /** Returns an object as it comes back from the version of a spoke, or from the hub: without dropped fields. */
  withoutDropped(object: JsonObject, spoke: KindRef): JsonObject {
    const { rules } = this.spoke(apiVersionOf(spoke));
    const side = object.apiVersion === apiVersionOf(this.hub.kind) ? 'hub' : 'spoke';
    return 'steps' in rules ? withoutDropped(rules.steps, object, side) : object;
  }

  private toHub(object: JsonObject): JsonObject {
    const apiVersion = typeof object.apiVersion === 'string' ? object.apiVersion : '';
    if (apiVersion === apiVersionOf(this.hub.kind)) return object;
    const { version, rules } = this.spoke(apiVersion);
    if ('functions' in rules) return this.byFunction(object, this.hub, (copy) => rules.functions.up(copy));
    return this.bySteps(object, rules.steps, version, this.hub);
  }

  private fromHub(object: JsonObject, apiVersion: string): JsonObject {
    if (apiVersion === apiVersionOf(this.hub.kind)) return object;
    const { version, rules } = this.spoke(apiVersion);
    if ('functions' in rules) return this.byFunction(object, version, (copy) => rules.functions.down(copy));
    return this.bySteps(object, rules.steps, this.hub, version);
  }

  private bySteps(
    object: JsonObject,
    steps: CompiledSteps,
    from: ConvertibleVersion,
    to: ConvertibleVersion,
  ): JsonObject {
    const kept = readKept(object);
    const { [to.kind.version]: restored = {}, ...others } = kept;
    const converted = convertBySteps(steps, object, from === this.hub ? 'hub' : 'spoke', restored);
    const result = withKept(converted.object, { ...others, [from.kind.version]: converted.kept });
    return { ...result, apiVersion: apiVersionOf(to.kind) };
  }

  /**
   * Takes labels and annotations that the function's result sets: the API server ignores changes of other metadata.
   * Functions that return only the fields of the other version do not remove them.
   */
  private byFunction(
    object: JsonObject,
    { className, kind }: ConvertibleVersion,
    call: (copy: unknown) => unknown,
  ): JsonObject {
    const result = dehydrate(call(deepClone(object)), className);
    if (!isJsonObject(result)) throw new TypeError(`the conversion to ${className} returned no object`);
    const metadata = withSet(objectAt(object, 'metadata'), objectAt(result, 'metadata'));
    return { ...result, apiVersion: apiVersionOf(kind), kind: object.kind, metadata };
  }

  private has(apiVersion: string): boolean {
    return this.spokes.has(apiVersion) || apiVersion === apiVersionOf(this.hub.kind);
  }

  private spoke(apiVersion: string): Spoke {
    const spoke = this.spokes.get(apiVersion);
    if (spoke) return spoke;
    const known = [apiVersionOf(this.hub.kind), ...this.spokes.keys()].join(', ');
    throw new RangeError(`${this.hub.kind.kind} has no version "${apiVersion}", only ${known}`);
  }
}

/** The metadata of the source with the labels and annotations that a result sets; empty ones remove those of the source. */
function withSet(metadata: JsonObject, result: JsonObject): JsonObject {
  const changed = { ...metadata };
  for (const member of ['labels', 'annotations']) {
    const value = result[member];
    if (value === undefined) continue;
    if (isJsonObject(value) && Object.keys(value).length === 0) Reflect.deleteProperty(changed, member);
    else changed[member] = value;
  }
  return changed;
}

function rulesOf({ target, classModel }: ConvertibleVersion, hub: ConvertibleVersion): Rules {
  const rules = ownMetadata(CONVERTS_TO, target)[0]?.rules ?? [];
  return 'up' in rules
    ? { functions: rules }
    : { steps: compileSteps(rules, { spoke: classModel, hub: hub.classModel }) };
}
