import { deepClone } from '../../base/deep-clone.js';
import { isJsonObject, valueAt, type JsonObject } from '../../base/json-object.js';
import { ownMember } from '../../base/own-member.js';
import { publicMessage, thrownError } from '../../base/thrown-error.js';
import { dehydrate } from '../../base/dehydrate.js';
import type { CompiledSteps, Side } from './compiled-steps.js';
import type { MapFunction } from '../decorators/conversion-step.js';
import { ObjectEditor, type FieldPathParts } from './object-editor.js';

/** A function of a `map` step that threw, or returned something that cannot be used. */
export class ConversionError extends Error {
  /** The text for the client of the API server, without that of an error of the function. */
  readonly publicMessage: string;

  constructor(sources: readonly FieldPathParts[], problem: string, options?: ErrorOptions) {
    const paths = sources.map(joinPath).join(', ');
    super(`${paths}: ${problem}`, options);
    this.name = 'ConversionError';
    this.publicMessage = options ? `${paths}: ${publicMessage(thrownError(options.cause))}` : this.message;
  }
}

/** Values of fields that the target version lacks, or that it had before, by path. */
export type KeptValues = Readonly<Record<string, unknown>>;

/** The result of a conversion, and the values of the source's fields that it must keep. */
export interface Converted {
  readonly object: JsonObject;
  readonly kept: KeptValues;
}

/**
 * Converts an object from one side to the other. Does not change the source.
 *
 * All values are read before one is written, so that steps may exchange fields.
 *
 * @param restored values that an earlier conversion in the other direction kept
 * @throws ConversionError for a function passed to `map`, with the paths of its sources.
 */
export function convertBySteps(
  steps: CompiledSteps,
  source: JsonObject,
  from: Side,
  restored: KeptValues = {},
): Converted {
  const to: Side = from === 'spoke' ? 'hub' : 'spoke';
  const kept = Object.fromEntries(
    steps.kept[from]
      .map(({ path }) => [joinPath(path), valueAt(source, path)])
      .filter(([, value]) => value !== undefined),
  ) as KeptValues;
  const written = [
    ...moved(steps, source, from, to),
    ...mapped(steps, source, from, to),
    ...listed(steps, source, from, to),
  ];
  const editor = new ObjectEditor(source);
  for (const path of sourcePaths(steps, from)) editor.delete(path);
  for (const [path, value] of written) editor.set(path, value);
  for (const { path, anchor } of steps.kept[to]) {
    const value = ownMember(restored, joinPath(path));
    if (value !== undefined && isJsonObject(valueAt(editor.result, anchor))) editor.set(path, value);
  }
  for (const path of steps.surplus[from]) editor.deleteIfEmpty(path);
  return { object: editor.result, kept };
}

/** Returns the object as it would come back: without dropped fields and objects that are empty without them. */
export function withoutDropped(steps: CompiledSteps, object: JsonObject, side: Side): JsonObject {
  const editor = new ObjectEditor(object);
  for (const path of steps.dropped[side]) editor.delete(path);
  for (const step of steps.lists) {
    const items = valueAt(object, step[side]);
    const strip = (item: unknown) => (isJsonObject(item) ? withoutDropped(step.steps, item, side) : item);
    if (Array.isArray(items)) editor.set(step[side], items.map(strip));
  }
  for (const path of steps.surplus[side]) editor.deleteIfEmpty(path);
  return editor.result;
}

type Written = readonly (readonly [path: FieldPathParts, value: unknown])[];

function* sourcePaths(steps: CompiledSteps, from: Side): Generator<FieldPathParts> {
  yield* steps.dropped[from];
  for (const step of steps.moves) yield step[from];
  for (const step of steps.maps) yield* step[from];
  for (const step of steps.lists) yield step[from];
  for (const { path } of steps.kept[from]) yield path;
}

function moved({ moves }: CompiledSteps, source: JsonObject, from: Side, to: Side): Written {
  return moves.flatMap((step) => {
    const value = valueAt(source, step[from]);
    return value === undefined ? [] : [[step[to], value] as const];
  });
}

function mapped({ maps }: CompiledSteps, source: JsonObject, from: Side, to: Side): Written {
  return maps.flatMap((step) => {
    const values = step[from].map((path) => deepClone(valueAt(source, path)));
    if (values.every((value) => value === undefined)) return [];
    return assigned(step[from], step[to], called(step[from], values, from === 'spoke' ? step.up : step.down));
  });
}

function listed({ lists }: CompiledSteps, source: JsonObject, from: Side, to: Side): Written {
  return lists.flatMap((step) => {
    const items = valueAt(source, step[from]);
    if (items === undefined) return [];
    return [
      [step[to], Array.isArray(items) ? items.map((item) => convertItem(step.steps, item, from)) : items] as const,
    ];
  });
}

function convertItem(steps: CompiledSteps, item: unknown, from: Side): unknown {
  return isJsonObject(item) ? convertBySteps(steps, item, from).object : item;
}

/** Returns the values of the targets that the result of a function sets. */
function assigned(sources: readonly FieldPathParts[], targets: readonly FieldPathParts[], result: unknown): Written {
  const results: readonly unknown[] = targets.length > 1 && Array.isArray(result) ? result : [result];
  if (targets.length > 1 && results.length !== targets.length && result !== undefined)
    throw new ConversionError(sources, `the function of map must return an array of ${targets.length} values`);
  return targets.flatMap((target, index) => {
    const value = results[index];
    return value === undefined ? [] : [[target, plain(sources, target, value)] as const];
  });
}

/** A result as plain JSON: a number that JSON does not have, or a Promise, would otherwise be stored as another value. */
function plain(sources: readonly FieldPathParts[], target: FieldPathParts, value: unknown): unknown {
  if (typeof value === 'string') return value;
  try {
    return dehydrate(value, joinPath(target));
  } catch (error) {
    throw new ConversionError(sources, `the result of map cannot be used: ${thrownError(error).message}`, {
      cause: error,
    });
  }
}

function called(sources: readonly FieldPathParts[], values: readonly unknown[], convert: MapFunction): unknown {
  try {
    return convert(...(values as never[]));
  } catch (error) {
    throw new ConversionError(sources, error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** A path as written in a step. */
function joinPath(path: FieldPathParts): string {
  return path.map((part) => part.replaceAll('.', String.raw`\.`)).join('.');
}
