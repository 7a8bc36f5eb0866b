import type { ShownLine } from '../../wire.js';
import { displayPreciseTime } from '../format.js';
import { hrefOf } from '../router.js';

interface LogEntryProps {
  readonly line: ShownLine;
  /** True where all lines are of one run, so that it is not named. */
  readonly isInRun?: boolean;
}

/** A line of the log with its fields and its error. */
export function LogEntry({ line, isInRun = false }: LogEntryProps) {
  const { level, message, fields, error } = line;
  const object = line.name === undefined ? '' : `${line.namespace ? `${line.namespace}/` : ''}${line.name}`;
  return (
    <li class={`log-line log-${level}`}>
      <time class="muted">{displayPreciseTime(line.at)}</time>
      <span class="log-level">{level.toUpperCase()}</span>
      <div class="log-text">
        {!isInRun && line.controller && <span class="muted">{line.controller} </span>}
        {!isInRun && object && (
          <>{line.run ? <a href={hrefOf('runs', line.run)}>{object}</a> : <span>{object}</span>} </>
        )}
        <span>{message}</span>
        {Object.entries(fields).map(([name, value]) => (
          <span key={name} class="log-field">
            {' '}
            <span class="muted">{name}=</span>
            {value}
          </span>
        ))}
        {error && (
          <details>
            <summary>
              {error.name}: {error.message}
              {error.location && <span class="muted"> at {error.location}</span>}
            </summary>
            <pre class="scroll" tabIndex={0} aria-label="Stack trace">
              {error.stack}
            </pre>
          </details>
        )}
      </div>
    </li>
  );
}
