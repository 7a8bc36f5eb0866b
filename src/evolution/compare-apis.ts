import type { ApiChange } from './api-change.js';
import { ChangeLog } from './change-log.js';
import { compareDefinitions } from './compare-definitions.js';
import type { CustomResourceDefinition } from '../api/kinds/kinds.js';

const ORDER = { breaking: 0, tightening: 1, safe: 2 } as const;

/**
 * Compares an API with its published state, definition by definition; the most severe changes come first.
 *
 * A removed definition is a breaking change.
 */
export function compareApis(
  published: readonly CustomResourceDefinition[],
  next: readonly CustomResourceDefinition[],
): ApiChange[] {
  const before = byName(published);
  const after = byName(next);
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.flatMap((name) => {
    const log = ChangeLog.of(name);
    compare(before.get(name), after.get(name), log);
    return log.list().toSorted((a, b) => ORDER[a.severity] - ORDER[b.severity]);
  });
}

function compare(
  old: CustomResourceDefinition | undefined,
  next: CustomResourceDefinition | undefined,
  log: ChangeLog,
): void {
  if (old && next) compareDefinitions(old, next, log);
  else if (old) log.add('breaking', 'kind removed');
  else log.add('safe', 'kind added');
}

/** If several files contain the same definition, the first one is used. */
function byName(definitions: readonly CustomResourceDefinition[]): Map<string, CustomResourceDefinition> {
  return new Map(definitions.toReversed().map((definition) => [definition.metadata.name, definition]));
}
