/** One difference between two versions of a kind. Made by `move`, `map`, `keep`, `drop` and `each`. */
export type ConversionStep =
  | { readonly step: 'move'; readonly from: string; readonly to: string }
  | {
      readonly step: 'map';
      readonly from: readonly string[];
      readonly to: readonly string[];
      readonly up: MapFunction;
      readonly down: MapFunction;
    }
  | { readonly step: 'keep'; readonly path: string }
  | { readonly step: 'drop'; readonly path: string }
  | { readonly step: 'each'; readonly from: string; readonly to: string; readonly steps: readonly ConversionStep[] };

/** Takes the values at the source paths, in their order; undefined for one that is absent. */
export type MapFunction = (...values: never[]) => unknown;

/**
 * The field `from` of this version is the field `to` of the hub; both have the same type.
 *
 * Paths consist of the names of properties, with dots: `spec.size`. A dot in a name is written `\.`.
 */
export function move(from: string, to: string): ConversionStep {
  return { step: 'move', from, to };
}

/**
 * The fields `from` of this version and `to` of the hub hold the same information in another form.
 *
 * A function is called when at least one of its sources is there, and gets undefined for those that are absent: an
 * object of server-side apply contains only the fields of one manager. It returns the value of the target, or an array
 * with one value for each of several targets; undefined leaves a target out. It must be pure, and must not throw for
 * values that the schema allows.
 */
export function map(
  from: string | readonly string[],
  to: string | readonly string[],
  up: MapFunction,
  down: MapFunction,
): ConversionStep {
  return { step: 'map', from: list(from), to: list(to), up, down };
}

/**
 * The field exists in only one of the two versions. The annotation `kindwright.dev/kept` stores its value in objects of
 * the other one; it is restored if the object that contains the field still exists.
 */
export function keep(path: string): ConversionStep {
  return { step: 'keep', path };
}

/** The field exists in only one of the two versions, and its value is lost in the other one. */
export function drop(path: string): ConversionStep {
  return { step: 'drop', path };
}

/** Converts each item of the list `path` by steps with paths relative to an item. Items cannot use `keep`. */
export function each(path: string, steps: readonly ConversionStep[]): ConversionStep;
/** Does so for the list `from` of this version, which is the list `to` of the hub. */
export function each(from: string, to: string, steps: readonly ConversionStep[]): ConversionStep;
export function each(
  from: string,
  to: string | readonly ConversionStep[],
  steps?: readonly ConversionStep[],
): ConversionStep {
  return typeof to === 'string'
    ? { step: 'each', from, to, steps: steps ?? [] }
    : { step: 'each', from, to: from, steps: to };
}

function list(paths: string | readonly string[]): readonly string[] {
  return typeof paths === 'string' ? [paths] : paths;
}
