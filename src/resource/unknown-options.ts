import { isJsonObject } from '../base/json-object.js';
import { nearest } from '../base/nearest.js';
import { ADMISSION } from './decorators/admission.js';
import { CONTROLLER } from './decorators/controller.js';
import { DEPENDENT } from './decorators/dependent.js';
import { EVERY } from './decorators/every.js';
import { KIND } from './decorators/kind.js';
import { MUTATE } from './decorators/mutate.js';
import { OWNS } from './decorators/owns.js';
import { POLICY } from './decorators/policy.js';
import { FIELD_PRINT_COLUMN, PRINT_COLUMN } from './decorators/print-column.js';
import { RBAC, type RbacEntry } from './decorators/rbac.js';
import { CLASS_RULE } from './decorators/rules/class-rule.js';
import { SCALE } from './decorators/scale.js';
import { SCHEMA } from './decorators/schema.js';
import { SOURCE } from './decorators/source.js';
import { VALIDATE } from './decorators/validate.js';
import { WATCHES } from './decorators/watches.js';
import type { Diagnostics } from './diagnostics.js';
import type { Location } from './location.js';
import { lineage, ownMetadata, type MetadataKey } from './metadata.js';
import type { Problem } from './model-error.js';
import { OPTION_NAMES, type OptionNames } from './option-names.js';

/** The options of one use of a decorator. */
interface Use {
  readonly decorator: string;
  readonly names: OptionNames;
  readonly options: unknown;
  /** The property or method; undefined for a class decorator. */
  readonly member: string | undefined;
}

/** The options of an entry of metadata, and its property or method. */
type Given = readonly [options: unknown, member?: string | undefined];
type DecoratorName = keyof typeof OPTION_NAMES;

/**
 * Adds diagnostics for options that decorators of a class or its base classes do not have, and for required options that
 * are missing, and strings in place of lists.
 *
 * TypeScript rejects both; JavaScript and casts do not, and an option that is ignored is hard to find.
 *
 * @returns true if a required option is missing or has the wrong type, so that the class has no model
 */
export function collectOptionNames(target: object, diagnostics: Diagnostics): boolean {
  let isIncomplete = false;
  for (const declaring of lineage(target) as Location['target'][]) {
    const counts = new Map<string, number>();
    for (const { decorator, names, options, member } of USES.flatMap((usesOf) => usesOf(declaring))) {
      const index = counts.get(decorator) ?? 0;
      if (member === undefined) counts.set(decorator, index + 1);
      const use = member === undefined ? { target: declaring, name: decorator, index } : undefined;
      const missing = [...missingOptions(options, decorator, names), ...listProblems(options, names, '')];
      if (missing.length > 0) isIncomplete = true;
      for (const [problem, hint] of [...optionProblems(options, names), ...missing])
        diagnostics.add({ target: declaring, member, decorator: use }, `@${decorator}: ${problem}`, hint);
    }
  }
  return isIncomplete;
}

const USES: readonly ((declaring: object) => Use[])[] = [
  uses('Admission', ADMISSION, ({ options }) => [options]),
  uses('Controller', CONTROLLER, (options) => [options]),
  uses('Dependent', DEPENDENT, ({ options, method }) => [options, method]),
  uses('Every', EVERY, ({ options, method }) => [options, method]),
  uses('Kind', KIND, (options) => [options]),
  uses('Mutate', MUTATE, ({ options, method }) => [options, method]),
  uses('Owns', OWNS, ({ options }) => [options]),
  uses('Policy', POLICY, ({ options }) => [options]),
  uses('PrintColumn', PRINT_COLUMN, (column) => [column]),
  uses('PrintColumn', FIELD_PRINT_COLUMN, ({ column, property }) => [column, property], OPTION_NAMES.FieldPrintColumn),
  uses('Rbac', RBAC, ({ on, options }) => [namesKind(on) ? options : on]),
  uses('Scale', SCALE, (options) => [options]),
  uses('Schema', SCHEMA, (options) => [options]),
  uses('Source', SOURCE, ({ options, method }) => [options, method]),
  uses('Union', CLASS_RULE, ({ decorator, union }) => (decorator === '@Union' ? [union] : undefined)),
  uses('Validate', VALIDATE, ({ options, method }) => [options, method]),
  uses('Watches', WATCHES, ({ options }) => [options]),
  uses('XValidation', CLASS_RULE, ({ decorator, rules, property }) =>
    decorator === '@XValidation' ? [rules[0], property] : undefined,
  ),
];

/** Returns a function that finds the uses of a decorator on a class, without entries of other decorators. */
function uses<T>(
  decorator: DecoratorName,
  key: MetadataKey<T>,
  givenIn: (entry: T) => Given | undefined,
  names: OptionNames = OPTION_NAMES[decorator],
): (declaring: object) => Use[] {
  return (declaring) =>
    ownMetadata(key, declaring).flatMap((entry) => {
      const given = givenIn(entry);
      return given ? [{ decorator, names, options: given[0], member: given[1] }] : [];
    });
}

/** Returns true for a class or a reference to a kind, which have no options. */
function namesKind(on: RbacEntry['on'] | undefined): boolean {
  return typeof on !== 'object' || 'plural' in on;
}

function* optionProblems(options: unknown, names: OptionNames): Generator<Problem> {
  if (isJsonObject(options)) yield* unknownNames(options, names, '');
  else if (options !== undefined) yield ['the options must be an object', `{ ${Object.keys(names)[0] ?? ''}: … }`];
}

function* missingOptions(options: unknown, decorator: string, names: OptionNames): Generator<Problem> {
  if (options !== undefined && !isJsonObject(options)) return;
  const required = Object.keys(names).filter((name) => names[name] === 'required');
  const example = `@${decorator}({ ${required.map((name) => `${name}: …`).join(', ')} })`;
  for (const name of required) if (options?.[name] === undefined) yield [`${name} is missing`, example];
}

function* listProblems(options: unknown, names: OptionNames, path: string): Generator<Problem> {
  if (!isJsonObject(options)) return;
  for (const [name, value] of Object.entries(options)) {
    const known = Object.hasOwn(names, name) ? names[name] : undefined;
    if (known === 'list' && value !== undefined && !Array.isArray(value))
      yield [`${path}${name} must be a list`, `${name}: [${typeof value === 'string' ? `'${value}'` : '…'}]`];
    else if (typeof known === 'object') yield* listProblems(value, known, `${path}${name}.`);
  }
}

function* unknownNames(options: object, names: OptionNames, path: string): Generator<Problem> {
  for (const [name, value] of Object.entries(options)) {
    const known = Object.hasOwn(names, name) ? names[name] : undefined;
    if (known === undefined && value !== undefined) yield [`unknown option '${path}${name}'`, hintFor(name, names)];
    else if (typeof known === 'object' && isJsonObject(value)) yield* unknownNames(value, known, `${path}${name}.`);
  }
}

function hintFor(name: string, names: OptionNames): string {
  const known = Object.keys(names);
  const like = nearest(name, known);
  return like === undefined ? `remove ${name}; the options are ${known.join(', ')}` : `did you mean ${like}?`;
}
