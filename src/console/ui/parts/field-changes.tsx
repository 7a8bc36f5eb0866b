import type { FieldChange } from '../../wire.js';
import { formatNoun } from '../format.js';

interface FieldChangesProps {
  readonly changes: readonly FieldChange[];
  readonly omitted?: number | undefined;
}

/** Changed fields, each with its value before and after. */
export function FieldChanges({ changes, omitted = 0 }: FieldChangesProps) {
  return (
    <ul class="changes mono">
      {changes.map(({ path, from, to }) => (
        <li key={path}>
          <span class="change-path">{path}</span>
          {from !== undefined && (
            <del>
              <span aria-hidden="true">− </span>
              {from}
            </del>
          )}
          {to !== undefined && (
            <ins>
              <span aria-hidden="true">+ </span>
              {to}
            </ins>
          )}
        </li>
      ))}
      {omitted > 0 && <li class="muted">{formatNoun(omitted, 'more changed field')}</li>}
    </ul>
  );
}
