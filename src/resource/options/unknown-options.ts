import { definitionName } from '../../api/kinds/definition.js';
import { isJsonObject } from '../../base/json-object.js';
import { nearest } from '../../base/nearest.js';
import { ownMember } from '../../base/own-member.js';
import {
  conversionProblem,
  fieldNamesProblem,
  fieldProblem,
  policyProblem,
  rbacProblem,
  selectableFieldProblem,
  textProblem,
} from './argument-problems.js';
import { ADMISSION } from '../decorators/admission.js';
import { CONTROLLER } from '../decorators/controller.js';
import { CONVERTS_TO } from '../decorators/converts-to.js';
import { DEPENDENT } from '../decorators/dependent.js';
import { DESCRIPTION } from '../decorators/description.js';
import { EVERY } from '../decorators/every.js';
import { FIELD } from '../decorators/field.js';
import { FINALIZER } from '../decorators/finalizer.js';
import { KIND } from '../decorators/kind.js';
import { MUTATE } from '../decorators/mutate.js';
import { OWNS } from '../decorators/owns.js';
import { POLICY } from '../decorators/policy.js';
import { FIELD_PRINT_COLUMN, PRINT_COLUMN } from '../decorators/print-column.js';
import { RBAC, type RbacEntry } from '../decorators/rbac.js';
import { CLASS_RULE } from '../decorators/rules/class-rule.js';
import { SCALE } from '../decorators/scale.js';
import { SCHEMA } from '../decorators/schema.js';
import { SELECTABLE_FIELD } from '../decorators/selectable-field.js';
import { SOURCE } from '../decorators/source.js';
import { VALIDATE } from '../decorators/validate.js';
import { WATCHES } from '../decorators/watches.js';
import type { Diagnostics } from '../diagnostics.js';
import type { Location } from '../location.js';
import { declaredMetadata, lineage, type MetadataKey } from '../metadata.js';
import type { Problem } from '../model-error.js';
import { OPTION_NAMES, type OptionNames } from './option-names.js';

/** The options of one use of a decorator. */
interface Use {
  readonly decorator: string;
  readonly names: OptionNames;
  readonly options: unknown;
  /** The property or method; undefined for a class decorator. */
  readonly member: string | undefined;
  /** Problems of the arguments other than options. */
  readonly problem: Problem | undefined;
}

/** The options of an entry of metadata, its property or method, and a problem with its other arguments. */
type Given = readonly [options: unknown, member?: string | undefined, problem?: Problem | undefined];

/**
 * Adds diagnostics for options that decorators of a class or its base classes do not have, for required options and other
 * arguments that are missing or of a wrong type, and for strings in place of lists.
 *
 * TypeScript rejects all of them; JavaScript and casts do not, and an option that is ignored is hard to find.
 *
 * @returns true if an argument is missing or has the wrong type, so that the class has no model
 */
export function collectOptionNames(target: object, diagnostics: Diagnostics): boolean {
  let isIncomplete = false;
  for (const declaring of lineage(target) as Location['target'][]) {
    const counts = new Map<string, number>();
    for (const { decorator, names, options, member, problem } of USES.flatMap((usesOf) => usesOf(declaring))) {
      const index = counts.get(decorator) ?? 0;
      if (member === undefined) counts.set(decorator, index + 1);
      const use = member === undefined ? { target: declaring, name: decorator, index } : undefined;
      const missing = [...missingOptions(options, decorator, names), ...listProblems(options, names, '')];
      if (problem) missing.unshift(problem);
      if (missing.length > 0) isIncomplete = true;
      for (const [text, hint] of [...optionProblems(options, names, decorator), ...missing])
        diagnostics.add({ target: declaring, member, decorator: use }, `@${decorator}: ${text}`, hint);
    }
  }
  return isIncomplete;
}

const USES: readonly ((declaring: object) => Use[])[] = [
  uses('Admission', ADMISSION, ({ options }) => [options]),
  uses('Controller', CONTROLLER, (options) => [options]),
  uses('ConvertsTo', CONVERTS_TO, (entry) => [undefined, undefined, conversionProblem(entry)]),
  uses('Dependent', DEPENDENT, ({ options, method }) => [options, method]),
  uses('Description', DESCRIPTION, (text) => [
    undefined,
    undefined,
    textProblem(text, 'the description', `@Description('Where the pods run')`),
  ]),
  uses('Every', EVERY, ({ options, method }) => [options, method]),
  ...['ExactlyOneOf', 'AtMostOneOf', 'AtLeastOneOf'].map((decorator) =>
    uses(decorator, CLASS_RULE, (rule) =>
      rule.decorator === `@${decorator}` ? [undefined, undefined, fieldNamesProblem(rule)] : undefined,
    ),
  ),
  uses('Field', FIELD, (entry) => [undefined, entry.property, fieldProblem(entry)]),
  uses('Finalizer', FINALIZER, ({ name, method }) => [
    undefined,
    method,
    textProblem(name, 'the name', `@Finalizer('apps.example.com/cleanup') ${method}`),
  ]),
  uses('Kind', KIND, (options) => [options]),
  uses('Mutate', MUTATE, ({ options, method }) => [options, method]),
  uses('Owns', OWNS, ({ options }) => [options]),
  uses('Policy', POLICY, (entry) => [entry.options, undefined, policyProblem(entry)]),
  uses('PrintColumn', PRINT_COLUMN, ({ column }) => [column]),
  uses('PrintColumn', FIELD_PRINT_COLUMN, ({ column, property }) => [column, property], OPTION_NAMES.FieldPrintColumn),
  uses('Rbac', RBAC, ({ on, options }) => [namesKind(on) ? options : on, undefined, rbacProblem(on)]),
  uses('Scale', SCALE, (options) => [options]),
  uses('Schema', SCHEMA, (options) => [options]),
  uses('SelectableField', SELECTABLE_FIELD, (entry) => [undefined, entry.property, selectableFieldProblem(entry)]),
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
  decorator: string,
  key: MetadataKey<T>,
  givenIn: (entry: T) => Given | undefined,
  names: OptionNames = (OPTION_NAMES as Readonly<Partial<Record<string, OptionNames>>>)[decorator] ?? {},
): (declaring: object) => Use[] {
  return (declaring) =>
    declaredMetadata(key, declaring).flatMap((entry) => {
      const given = givenIn(entry);
      return given ? [{ decorator, names, options: given[0], member: given[1], problem: given[2] }] : [];
    });
}

/** Returns true for a class or a reference to a kind, which have no options. */
function namesKind(on: RbacEntry['on'] | undefined): boolean {
  return !isJsonObject(on) || 'plural' in on;
}

function* optionProblems(options: unknown, names: OptionNames, decorator: string): Generator<Problem> {
  if (isJsonObject(options)) yield* unknownNames(options, names, '', decorator);
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

function* unknownNames(options: object, names: OptionNames, path: string, decorator: string): Generator<Problem> {
  for (const [name, value] of Object.entries(options)) {
    const known = Object.hasOwn(names, name) ? names[name] : undefined;
    if (known === undefined && value !== undefined) {
      const hint = ownMember(FORMER, `${decorator}.${name}`) ?? hintFor(name, names);
      yield [`unknown option '${path}${name}'`, hint];
    } else if (typeof known === 'object' && isJsonObject(value) && definitionName(value) === undefined)
      yield* unknownNames(value, known, `${path}${name}.`, decorator);
  }
}

/** The spelling in place of options that earlier versions had, where it is not an option. */
const FORMER: Readonly<Record<string, string>> = {
  'Kind.description': `@Description('…') before the class, or a doc comment`,
};

function hintFor(name: string, names: OptionNames): string {
  const known = Object.keys(names);
  const like = nearest(name, known);
  return like === undefined ? `remove ${name}; the options are ${known.join(', ')}` : `did you mean ${like}?`;
}
