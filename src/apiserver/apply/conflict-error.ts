import { goQuoted } from '../../base/go-quoted.js';
import { StatusError } from '../errors/status-error.js';
import { compareTexts, parseManagerKey } from './managed-fields.js';
import { formatPath } from './path-set.js';
import type { ApplyConflicts, Managers } from './updater.js';

/** The refusal of an apply, naming each field and who else wants it. */
export function conflictError({ conflicts }: ApplyConflicts, managers: Managers): StatusError {
  const causes = [...conflicts]
    .sort(([a], [b]) => compareTexts(a, b))
    .flatMap(([identity, set]) =>
      [...set.paths()].map((path) => conflictCause(identity, managers.get(identity)?.apiVersion ?? '', path)),
    );
  const [only] = causes;
  if (causes.length === 1 && only) {
    return new StatusError(409, 'Conflict', `Apply failed with 1 conflict: ${only.message}: ${only.field}`, { causes });
  }
  const lines = [...Map.groupBy(causes, ({ message }) => message)].flatMap(([message, group]) => [
    `${message.replace('conflict', 'conflicts')}:`,
    ...group.map(({ field }) => `- ${field}`),
  ]);
  const text = `Apply failed with ${causes.length} conflicts: ${lines.join('\n')}`;
  return new StatusError(409, 'Conflict', text, { causes });
}

function conflictCause(identity: string, version: string, path: readonly string[]) {
  const { manager, subresource, operation } = parseManagerKey(identity);
  const quoted = goQuoted(manager) + (subresource === '' ? '' : ` with subresource ${goQuoted(subresource)}`);
  const using = operation === 'Update' ? ` using ${version}` : '';
  return { reason: 'FieldManagerConflict', message: `conflict with ${quoted}${using}`, field: formatPath(path) };
}
