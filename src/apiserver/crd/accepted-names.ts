import { arrayAt, stringAt, type JsonObject } from '../object.js';

/** Which of its names a definition may have, and its condition `NamesAccepted`. */
export interface NameDecision {
  readonly names: JsonObject;
  readonly condition: { readonly status: 'True' | 'False'; readonly reason: string; readonly message: string };
}

/** In the order in which they are looked at. */
const CONFLICTS = {
  plural: 'PluralConflict',
  singular: 'SingularConflict',
  shortNames: 'ShortNamesConflict',
  kind: 'KindConflict',
  listKind: 'ListKindConflict',
} as const;

type Field = keyof typeof CONFLICTS;

const FIELDS = Object.keys(CONFLICTS) as Field[];
const RESOURCE_NAMES = ['plural', 'singular', 'shortNames'] as const;
const KIND_NAMES = ['kind', 'listKind'] as const;

/**
 * Decides as apiextensions-apiserver does: pkg/controller/status/naming_controller.go.
 *
 * @param former the names that the definition has been granted before
 * @param others the names that other definitions of the group have been granted
 */
export function acceptNames(requested: JsonObject, former: JsonObject, others: readonly JsonObject[]): NameDecision {
  const used = (fields: readonly Field[]): Set<string> =>
    new Set(others.flatMap((names) => fields.flatMap((field) => namesIn(names, field))));
  const [resources, kinds] = [used(RESOURCE_NAMES), used(KIND_NAMES)];
  const names: JsonObject = { ...requested };
  let condition: NameDecision['condition'] = { status: 'True', reason: 'NoConflicts', message: 'no conflicts found' };
  for (const field of FIELDS) {
    const rivals = field === 'kind' || field === 'listKind' ? kinds : resources;
    const own = namesIn(former, field);
    const taken = namesIn(requested, field).filter((name) => rivals.has(name) && !own.includes(name));
    if (taken.length === 0) continue;
    names[field] = former[field] ?? (field === 'plural' || field === 'kind' ? '' : undefined);
    condition = { status: 'False', reason: CONFLICTS[field], message: messageOf(taken) };
  }
  return { names, condition };
}

function namesIn(names: JsonObject, field: Field): string[] {
  return field === 'shortNames' ? (arrayAt(names, field) as string[]) : [stringAt(names, field)].filter(Boolean);
}

/** As Go prints several errors in one. */
function messageOf(taken: readonly string[]): string {
  const messages = taken.map((name) => `"${name}" is already in use`);
  return messages.length === 1 ? messages.join('') : `[${messages.join(', ')}]`;
}
