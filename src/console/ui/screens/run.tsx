import type { CauseDetail, ErrorDetail, ShownLine, RunDetail } from '../../wire.js';
import { displayDuration, formatNoun, displayPreciseTime } from '../format.js';
import { FieldChanges } from '../parts/field-changes.js';
import { Icon, type IconName } from '../parts/icon.js';
import { LogEntry } from '../parts/log-entry.js';
import { Empty, Failure, Pending } from '../parts/message.js';
import { ObjectLink } from '../parts/references.js';
import { OutcomeState } from '../parts/state.js';
import { Waterfall } from '../parts/waterfall.js';
import { hrefOf, route } from '../router.js';
import { runs } from '../store.js';
import { useJson } from '../use-json.js';

/** One reconcile: why it began, what it read and wrote, and how it ended. */
export function RunScreen() {
  const { id } = route.value;
  const version = runs.value.find((run) => run.id === id)?.outcome;
  const { data, error } = useJson<RunDetail>(`runs/${encodeURIComponent(id)}`, version);
  if (!data) {
    return (
      <div class="screen">
        <Pending error={error} what="the run" />
      </div>
    );
  }
  return (
    <div class="screen">
      <nav class="crumbs" aria-label="Breadcrumb">
        <a href={hrefOf('runs')}>Timeline</a>
        <span aria-hidden="true">/</span>
        <ObjectLink object={data.object} />
      </nav>
      <Heading run={data} />
      {error && <Failure error={error} />}
      {data.failure && <FailurePanel failure={data.failure} />}
      <Causes causes={data.causes} omitted={data.causesOmitted} />
      <section class="panel" aria-labelledby="calls-title">
        <header>
          <h2 id="calls-title">Reads and writes</h2>
          <span class="muted">{formatNoun(data.ops.length, 'call')}</span>
        </header>
        {data.ops.length > 0 ? (
          <Waterfall ops={data.ops} totalMs={data.ms} />
        ) : (
          <Empty title="The reconcile read and wrote nothing" />
        )}
      </section>
      <Log lines={data.log} />
    </div>
  );
}

function Heading({ run }: { readonly run: RunDetail }) {
  const { object } = run;
  return (
    <>
      <div class="title">
        <h1>
          <span class="kind">Run of {run.controller}</span> {object.namespace ? `${object.namespace}/` : ''}
          {object.name}
        </h1>
        <OutcomeState outcome={run.outcome} />
        <span class="actions">
          {object.uid && (
            <a class="button" href={hrefOf('runs', '', { object: object.uid })}>
              Timeline of the object
            </a>
          )}
          <a class="button" href={hrefOf('logs', '', { run: run.id })}>
            Logs
          </a>
        </span>
      </div>
      <dl class="facts">
        <Fact name="Started" value={displayPreciseTime(run.at)} />
        <Fact name="Duration" value={run.ms === undefined ? 'still running' : displayDuration(run.ms)} />
        <Fact name="Attempt" value={String(run.attempt)} />
        <Fact name="Writes" value={String(run.writes)} />
        {run.nextMs !== undefined && <Fact name="Next run" value={`after ${displayDuration(run.nextMs)}`} />}
        <div>
          <dt>ID</dt>
          <dd class="mono">{run.id}</dd>
        </div>
      </dl>
    </>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function FailurePanel({ failure }: { readonly failure: ErrorDetail }) {
  const { name, message, hint, location, stack } = failure;
  return (
    <section class="panel failure" aria-labelledby="failure-title">
      <h2 id="failure-title">
        <Icon name="bad" />
        <span>
          {name}: {message}
        </span>
      </h2>
      {location && (
        <p>
          in your code at <code class="location">{location}</code>
        </p>
      )}
      {hint && <p>{hint}</p>}
      <details>
        <summary>Stack trace</summary>
        <pre class="scroll" tabIndex={0} aria-label="Stack trace">
          {stack}
        </pre>
      </details>
    </section>
  );
}

const CAUSE_ICONS: Readonly<Record<CauseDetail['type'], IconName>> = {
  initial: 'objects',
  event: 'runs',
  trigger: 'play',
  timer: 'clock',
  retry: 'busy',
  console: 'play',
};

function Causes({ causes, omitted }: { readonly causes: readonly CauseDetail[]; readonly omitted: number }) {
  return (
    <section class="panel" aria-labelledby="why-title">
      <header>
        <h2 id="why-title">Why it ran</h2>
        <span class="muted">{formatNoun(causes.length + omitted, 'cause')}</span>
      </header>
      <ol class="causes">
        {causes.map((cause, index) => (
          <Cause key={index} cause={cause} />
        ))}
        {omitted > 0 && <li class="muted">{formatNoun(omitted, 'more cause')} not recorded</li>}
      </ol>
    </section>
  );
}

function Cause({ cause }: { readonly cause: CauseDetail }) {
  const { source, event, object, byRun, changes, changesOmitted } = cause;
  return (
    <li>
      <Icon name={CAUSE_ICONS[cause.type]} />
      <div>
        <p class="cause">
          {source && event ? (
            <>
              <code class="source">{source}</code> {EVENT_WORDS[event]} {object && <ObjectLink object={object} />}
            </>
          ) : (
            cause.text
          )}
          {byRun && (
            <span class="muted">
              , written by{' '}
              <a href={hrefOf('runs', byRun.id)}>
                {byRun.isSame
                  ? 'an earlier run of this object'
                  : `the reconcile of ${byRun.controller} ${byRun.object}`}
              </a>
            </span>
          )}
        </p>
        {changes && changes.length > 0 && <FieldChanges changes={changes} omitted={changesOmitted} />}
        {event === 'update' && changes?.length === 0 && <p class="muted">no field changed</p>}
      </div>
    </li>
  );
}

const EVENT_WORDS = { add: 'added', update: 'updated', delete: 'deleted' };

function Log({ lines }: { readonly lines: readonly ShownLine[] }) {
  return (
    <section class="panel" aria-labelledby="log-title">
      <header>
        <h2 id="log-title">Log</h2>
        <span class="muted">{formatNoun(lines.length, 'line')}</span>
      </header>
      {lines.length === 0 ? (
        <Empty title="The reconcile logged nothing" />
      ) : (
        <ol class="log">
          {lines.map((line) => (
            <LogEntry key={line.seq} line={line} isInRun />
          ))}
        </ol>
      )}
    </section>
  );
}
