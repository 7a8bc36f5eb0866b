import type { ClassModel, ValueModel } from '../fields/value-model.js';
import type { ConversionStep, MapFunction } from '../decorators/conversion-step.js';
import { splitFieldPath, type FieldPathParts } from './object-editor.js';

/** The version with the decorator, or the one it converts to. */
export type Side = 'spoke' | 'hub';

/** A value for each version. */
export type Sides<T> = Readonly<Record<Side, T>>;

/** A field of one version that objects of the other keep in an annotation. */
export interface KeptField {
  readonly path: FieldPathParts;
  /** The nearest object above the field that exists in both versions; restored only if that object has it. */
  readonly anchor: FieldPathParts;
}

/** Steps with parsed paths, grouped by type, with the paths that follow from the fields of both versions. */
export interface CompiledSteps {
  readonly moves: readonly Sides<FieldPathParts>[];
  readonly maps: readonly (Sides<readonly FieldPathParts[]> & {
    readonly up: MapFunction;
    readonly down: MapFunction;
  })[];
  readonly kept: Sides<readonly KeptField[]>;
  readonly dropped: Sides<readonly FieldPathParts[]>;
  readonly lists: readonly (Sides<FieldPathParts> & { readonly steps: CompiledSteps })[];
  /** Objects above converted fields that the other version lacks, the innermost first. */
  readonly surplus: Sides<readonly FieldPathParts[]>;
}

/** The fields of an object in both versions; undefined for an object without declared fields. */
export type BothFields = Sides<ClassModel | undefined>;

/** Compiles steps for the fields of two versions. Steps with problems are those of `collectConversions`. */
export function compileSteps(steps: readonly ConversionStep[], fields: BothFields): CompiledSteps {
  const of = <N extends ConversionStep['step']>(name: N) =>
    steps.filter((step): step is Extract<ConversionStep, { step: N }> => step.step === name);
  const moves = of('move').map(({ from, to }) => ({ spoke: splitFieldPath(from), hub: splitFieldPath(to) }));
  const maps = of('map').map(({ from, to, up, down }) => ({
    spoke: from.map(splitFieldPath),
    hub: to.map(splitFieldPath),
    ...{ up, down },
  }));
  const kept = of('keep').map(({ path }) => splitFieldPath(path));
  const dropped = of('drop').map(({ path }) => splitFieldPath(path));
  const on = (side: Side) => (path: FieldPathParts) => fieldAt(fields[side], path) !== undefined;
  const onlySpoke = { kept: kept.filter(on('spoke')), dropped: dropped.filter(on('spoke')) };
  const onlyHub = { kept: kept.filter(on('hub')), dropped: dropped.filter(on('hub')) };
  const converted = {
    spoke: [
      ...moves.map(({ spoke }) => spoke),
      ...maps.flatMap(({ spoke }) => spoke),
      ...Object.values(onlySpoke).flat(),
    ],
    hub: [...moves.map(({ hub }) => hub), ...maps.flatMap(({ hub }) => hub), ...Object.values(onlyHub).flat()],
  };
  return {
    ...{ moves, maps },
    kept: {
      spoke: onlySpoke.kept.map((path) => ({ path, anchor: anchorOf(path, fields.hub) })),
      hub: onlyHub.kept.map((path) => ({ path, anchor: anchorOf(path, fields.spoke) })),
    },
    dropped: { spoke: onlySpoke.dropped, hub: onlyHub.dropped },
    lists: of('each').map(({ from, to, steps: ofItem }) => {
      const paths = { spoke: splitFieldPath(from), hub: splitFieldPath(to) };
      return { ...paths, steps: compileSteps(ofItem, itemFields(fields, paths)) };
    }),
    surplus: {
      spoke: surplusOf(converted.spoke, fields.hub),
      hub: surplusOf(converted.hub, fields.spoke),
    },
  };
}

/** The fields of the items of a list. */
export function itemFields(fields: BothFields, paths: Sides<FieldPathParts>): BothFields {
  return {
    spoke: fieldAt(fields.spoke, paths.spoke)?.items?.class,
    hub: fieldAt(fields.hub, paths.hub)?.items?.class,
  };
}

/** The model of a field; undefined where the class has no such field. */
export function fieldAt(fields: ClassModel | undefined, path: FieldPathParts): ValueModel | undefined {
  let value: ValueModel | undefined;
  let at = fields;
  for (const part of path) {
    value = at?.fields.find(({ name }) => name === part)?.value;
    if (!value) return undefined;
    at = value.class;
  }
  return value;
}

function anchorOf(path: FieldPathParts, other: ClassModel | undefined): FieldPathParts {
  let length = path.length - 1;
  while (length > 0 && !fieldAt(other, path.slice(0, length))) length--;
  return path.slice(0, length);
}

function surplusOf(paths: readonly FieldPathParts[], other: ClassModel | undefined): FieldPathParts[] {
  const parents = paths.flatMap((path) => path.slice(1).map((_, index) => path.slice(0, index + 1)));
  const distinct = new Map(parents.map((path) => [path.join('\0'), path])).values();
  return [...distinct].filter((path) => !fieldAt(other, path)).sort((a, b) => b.length - a.length);
}
