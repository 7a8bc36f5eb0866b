import { CLASS_RULE } from '../../src/resource/decorators/rules/class-rule.js';
import { CONTROLLER } from '../../src/resource/decorators/controller.js';
import { DESCRIPTION } from '../../src/resource/decorators/description.js';
import { FIELD } from '../../src/resource/decorators/field.js';
import { FINALIZER } from '../../src/resource/decorators/finalizer.js';
import { KIND } from '../../src/resource/decorators/kind.js';
import { OWNS } from '../../src/resource/decorators/owns.js';
import { FIELD_PRINT_COLUMN, PRINT_COLUMN } from '../../src/resource/decorators/print-column.js';
import { RBAC } from '../../src/resource/decorators/rbac.js';
import { RUNTIME_ONLY } from '../../src/resource/decorators/runtime-only.js';
import { SAMPLE } from '../../src/resource/decorators/sample.js';
import { SCALE } from '../../src/resource/decorators/scale.js';
import { SCHEMA } from '../../src/resource/decorators/schema.js';
import { SELECTABLE_FIELD } from '../../src/resource/decorators/selectable-field.js';
import { WATCHES } from '../../src/resource/decorators/watches.js';
import type { ValueOptions } from '../../src/resource/decorators/field-options.js';
import { lineage, ownMetadata, type MetadataKey } from '../../src/resource/metadata.js';

/** Decorators with options that do not change the definition. */
const WITHOUT_OPTIONS: Readonly<Record<string, MetadataKey<unknown>>> = {
  Controller: CONTROLLER,
  Description: DESCRIPTION,
  Finalizer: FINALIZER,
  Owns: OWNS,
  Rbac: RBAC,
  RuntimeOnly: RUNTIME_ONLY,
  Sample: SAMPLE,
  SelectableField: SELECTABLE_FIELD,
  Watches: WATCHES,
};
const WITH_OPTIONS: Readonly<Record<string, MetadataKey<unknown>>> = {
  Kind: KIND,
  Scale: SCALE,
  Schema: SCHEMA,
};

/**
 * The decorators of a class and of the classes of its fields, and their options: `Kind`, `Kind.group`, `Field.listType`.
 */
export function* usedVocabulary(target: object, seen = new Set<object>()): Generator<string> {
  for (const ancestor of lineage(target)) {
    if (seen.has(ancestor)) continue;
    seen.add(ancestor);
    yield* ofClass(ancestor);
    for (const { column } of ownMetadata(PRINT_COLUMN, ancestor)) yield* named('PrintColumn', column);
    for (const { column } of ownMetadata(FIELD_PRINT_COLUMN, ancestor)) yield* named('PrintColumn', column);
    yield* ofRules(ancestor);
    for (const { options, description } of ownMetadata(FIELD, ancestor)) {
      if (description !== undefined) yield 'Field.description';
      yield* ofValue(options, seen);
    }
  }
}

function* ofClass(target: object): Generator<string> {
  for (const [name, key] of Object.entries(WITHOUT_OPTIONS)) if (ownMetadata(key, target).length > 0) yield name;
  for (const [name, key] of Object.entries(WITH_OPTIONS))
    for (const options of ownMetadata(key, target)) yield* named(name, options as object);
}

function* ofRules(target: object): Generator<string> {
  for (const { decorator, rules } of ownMetadata(CLASS_RULE, target)) {
    yield decorator.slice(1);
    for (const rule of rules) yield* named('XValidation', rule);
  }
}

function* named(decorator: string, options: object): Generator<string> {
  yield decorator;
  for (const option of Object.keys(options)) yield `${decorator}.${option}`;
}

function* ofValue(options: ValueOptions, seen: Set<object>): Generator<string> {
  yield* named('Field', options);
  for (const rule of options.validations ?? []) yield* named('XValidation', rule);
  const { type } = options;
  const target: unknown = typeof type === 'function' && type.prototype === undefined ? (type as () => unknown)() : type;
  if (typeof target === 'function') yield* usedVocabulary(target, seen);
  for (const member of [options.items, options.values])
    if (typeof member === 'object') yield* ofValue(member, seen);
    else if (typeof member === 'function') yield* ofValue({ type: member }, seen);
}
