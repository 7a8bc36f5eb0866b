import type { ConditionWire, EventList, ObjectDetail, ObjectRow, ObjectTree, RunPage, RunSummary } from '../../wire.js';
import { formatAgo, displayDuration, formatNoun, displayTime } from '../format.js';
import { Icon } from '../parts/icon.js';
import { Empty, Failure, Pending } from '../parts/message.js';
import { ObjectActions } from '../parts/object-actions.js';
import { OwnerTree } from '../parts/owner-tree.js';
import { kindName, objectName } from '../parts/references.js';
import { LevelState, OutcomeState, State } from '../parts/state.js';
import { hrefOf, route } from '../router.js';
import { findings, now, objectWithUid, objectsVersion } from '../store.js';
import { useJson } from '../use-json.js';

/** One object: its owners and dependents, conditions, runs, events and text. */
export function ObjectScreen() {
  const uid = route.value.id;
  const version = objectWithUid(uid)?.resourceVersion;
  const { data, error } = useJson<ObjectDetail>(`objects/${encodeURIComponent(uid)}`, version);
  const row = objectWithUid(uid) ?? data?.row;
  if (!row)
    return (
      <div class="screen">
        <Pending error={error} what="the object" />
      </div>
    );
  return (
    <div class="screen">
      <nav class="crumbs" aria-label="Breadcrumb">
        <a href={hrefOf('objects')}>Objects</a>
        <span aria-hidden="true">/</span>
        <a href={hrefOf('objects', '', { kind: row.kind })}>{kindName(row.kind)}</a>
      </nav>
      <div class="title">
        <h1>
          <span class="kind">{kindName(row.kind)}</span> {objectName(row)}
        </h1>
        <LevelState level={row.level} text={row.state} />
        <ObjectActions row={row} controllers={data?.controllers ?? []} isPartial={data?.isPartial === true} />
      </div>
      {error && <Failure error={error} />}
      <Facts row={row} detail={data} />
      <RelatedFindings uid={uid} />
      <div class="split">
        <div class="stack">
          <TreePanel uid={uid} />
          <Conditions conditions={data?.conditions} />
          <Yaml detail={data} />
        </div>
        <div class="stack">
          <RecentRuns uid={uid} version={`${String(row.lastRun?.id)} ${String(row.lastRun?.outcome)}`} />
          <Events uid={uid} version={version} />
        </div>
      </div>
    </div>
  );
}

function Facts({ row, detail }: { readonly row: ObjectRow; readonly detail: ObjectDetail | undefined }) {
  const { generation, observedGeneration, lastRun } = row;
  const waiting = detail?.waiting;
  return (
    <dl class="facts">
      {row.detail && <Fact name="Detail" value={row.detail} />}
      {generation !== undefined && (
        <Fact
          name="Generation"
          value={
            observedGeneration === undefined
              ? String(generation)
              : `${String(generation)}, observed ${String(observedGeneration)}`
          }
        />
      )}
      <Fact name="Created" value={formatAgo(row.createdAt, now.value)} />
      {lastRun && <Fact name="Last run" value={formatAgo(lastRun.at, now.value)} />}
      {row.runsPerMinute !== undefined && <Fact name="Runs in the last minute" value={String(row.runsPerMinute)} />}
      {waiting && (
        <Fact
          name="Next run"
          value={`of ${waiting.controller} in ${displayDuration(Math.max(0, waiting.dueInMs))}${
            waiting.isHeldByHotLoop ? ', delayed because it runs too often' : ''
          }`}
        />
      )}
    </dl>
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

function RelatedFindings({ uid }: { readonly uid: string }) {
  const related = (findings.value ?? []).filter(({ object }) => object?.uid === uid);
  return (
    <>
      {related.map(({ id, level, message }) => (
        <p key={id} class={`note note-${level === 'error' ? 'bad' : 'warn'}`}>
          <Icon name="warn" />
          <span>
            {message} <a href={hrefOf('doctor', id)}>Show the finding</a>
          </span>
        </p>
      ))}
    </>
  );
}

function TreePanel({ uid }: { readonly uid: string }) {
  const { data, error } = useJson<ObjectTree>(`objects/${encodeURIComponent(uid)}/tree`, objectsVersion.value);
  return (
    <section class="panel" aria-labelledby="tree-title">
      <header>
        <h2 id="tree-title">Owners and dependents</h2>
      </header>
      <div class="body">
        {data ? <OwnerTree key={data.selected} tree={data} /> : <Pending error={error} what="the owners" />}
      </div>
    </section>
  );
}

function Conditions({ conditions }: { readonly conditions: readonly ConditionWire[] | undefined }) {
  return (
    <section class="panel" aria-labelledby="conditions-title">
      <header>
        <h2 id="conditions-title">Conditions</h2>
      </header>
      {conditions && conditions.length > 0 ? (
        <ul class="conditions">
          {conditions.map((condition) => (
            <Condition key={condition.type} condition={condition} />
          ))}
        </ul>
      ) : (
        <Empty title={conditions ? 'The object has no conditions' : 'Loading conditions …'} />
      )}
    </section>
  );
}

function Condition({ condition }: { readonly condition: ConditionWire }) {
  const { type, status, level, reason, message, transitionAt, history } = condition;
  return (
    <li>
      <div class="condition">
        <strong>{type}</strong>
        <LevelState level={level} text={status} />
        {reason && <span>{reason}</span>}
        {transitionAt !== undefined && <span class="muted">{formatAgo(transitionAt, now.value)}</span>}
      </div>
      {message && <p class="muted">{message}</p>}
      {history.length > 0 && (
        <details>
          <summary>{formatNoun(history.length, 'earlier value')}</summary>
          <ol class="history">
            {history.toReversed().map((change) => (
              <li key={change.at}>
                <time class="muted">{displayTime(change.at)}</time> {change.status} {change.reason}
                {change.message && <span class="muted"> {change.message}</span>}
              </li>
            ))}
          </ol>
        </details>
      )}
    </li>
  );
}

function RecentRuns({ uid, version }: { readonly uid: string; readonly version: string }) {
  const { data, error } = useJson<RunPage>(`objects/${encodeURIComponent(uid)}/runs?limit=12`, version);
  return (
    <section class="panel" aria-labelledby="runs-title">
      <header>
        <h2 id="runs-title">Runs</h2>
        <span class="actions">
          <a class="button" href={hrefOf('runs', '', { object: uid })}>
            Timeline
          </a>
        </span>
      </header>
      {!data && <Pending error={error} what="the runs" />}
      {data?.runs.length === 0 && <Empty title="No run of this object is recorded" />}
      <ol class="runs">
        {data?.runs.map((run) => (
          <RunLine key={run.id} run={run} />
        ))}
      </ol>
    </section>
  );
}

/** A run in a short list of runs of one object. */
function RunLine({ run }: { readonly run: RunSummary }) {
  return (
    <li>
      <a class="run-line" href={hrefOf('runs', run.id)}>
        <time class="muted">{displayTime(run.at)}</time>
        <OutcomeState outcome={run.outcome} />
        <span class="muted">{run.writes > 0 && formatNoun(run.writes, 'write')}</span>
        <span class="muted number">{run.ms !== undefined && displayDuration(run.ms)}</span>
        <span class="why">{run.error ?? run.why}</span>
      </a>
    </li>
  );
}

function Events({ uid, version }: { readonly uid: string; readonly version: string | undefined }) {
  const { data, error } = useJson<EventList>(`objects/${encodeURIComponent(uid)}/events`, version);
  return (
    <section class="panel" aria-labelledby="events-title">
      <header>
        <h2 id="events-title">Events</h2>
      </header>
      {!data && <Pending error={error} what="the events" />}
      {data?.error && <p class="note note-warn">{data.error}</p>}
      {data?.events.length === 0 && !data.error && <Empty title="No events" />}
      <ul class="events">
        {data?.events.map((event) => (
          <li key={`${event.reason} ${String(event.firstAt)} ${event.message}`}>
            <State
              tone={event.type === 'Warning' ? 'warn' : 'none'}
              icon={event.type === 'Warning' ? 'warn' : 'none'}
              text={event.reason}
            />
            <span class="muted">
              {event.count > 1 && `×${String(event.count)} · `}
              {formatAgo(event.lastAt, now.value)} · {event.source}
            </span>
            <p>{event.message}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Yaml({ detail }: { readonly detail: ObjectDetail | undefined }) {
  if (!detail) return null;
  return (
    <section class="panel" aria-labelledby="yaml-title">
      <header>
        <h2 id="yaml-title">YAML</h2>
        {detail.isPartial && <span class="muted">only what the operator caches</span>}
      </header>
      <pre class="body yaml scroll" tabIndex={0} aria-labelledby="yaml-title">
        {detail.yaml}
      </pre>
    </section>
  );
}
