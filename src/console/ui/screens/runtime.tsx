import type { QueuedKeyWire, QueueState, RuntimeState, WatchLine } from '../../wire.js';
import { announce } from '../announcement.js';
import { postJson } from '../api.js';
import { formatAgo, formatCount, displayDuration, formatNumber } from '../format.js';
import { Empty } from '../parts/message.js';
import { kindName, ObjectLink, objectName } from '../parts/references.js';
import { CachesPanel, ShardsPanel, WebhooksPanel } from '../parts/runtime-panels.js';
import { State } from '../parts/state.js';
import { TablePanel } from '../parts/table-panel.js';
import { hello, isDevelopment, now, runtime } from '../store.js';

/** The state of the process: queues, workers, watches, webhooks, caches, and its part in the work of all replicas. */
export function RuntimeScreen() {
  const state = runtime.value;
  return (
    <div class="screen">
      <div class="title">
        <h1>Runtime</h1>
        {state && (
          <State
            tone={state.lease.isLeader ? 'ok' : 'none'}
            icon={state.lease.isLeader ? 'leader' : 'clock'}
            text={leadership(state)}
          />
        )}
      </div>
      {state ? (
        <>
          <Process />
          {state.shards && <ShardsPanel shards={state.shards} />}
          <Controllers queues={state.queues} />
          {state.queues.map((queue) => (
            <Keys key={`${queue.controller} ${queue.cluster ?? ''}`} queue={queue} />
          ))}
          <Watches watches={state.watches} />
          {state.webhooks && <WebhooksPanel webhooks={state.webhooks} />}
          <CachesPanel />
        </>
      ) : (
        <Empty title="Loading the state of the operator …" />
      )}
    </div>
  );
}

function leadership({ lease: { isElected, isLeader }, shards }: RuntimeState): string {
  if (shards) return isLeader ? 'Reconciles its slots' : 'Waiting for its Lease';
  if (!isElected) return 'Reconciles, without leader election';
  return isLeader ? 'Leader: this process holds the lease' : 'Standby: another process holds the lease';
}

function Process() {
  const { version, mode, startedAt, operator } = hello.value ?? {};
  return (
    <dl class="facts">
      <div>
        <dt>Operator</dt>
        <dd>{operator}</dd>
      </div>
      <div>
        <dt>kindwright</dt>
        <dd>{version}</dd>
      </div>
      <div>
        <dt>Console</dt>
        <dd>{mode === 'dev' ? 'development, may write' : 'read-only'}</dd>
      </div>
      {startedAt !== undefined && (
        <div>
          <dt>Started</dt>
          <dd>{formatAgo(startedAt, now.value)}</dd>
        </div>
      )}
    </dl>
  );
}

function Controllers({ queues }: { readonly queues: readonly QueueState[] }) {
  return (
    <TablePanel
      id="controllers"
      title="Controllers"
      columns={['Controller', 'Workers', 'Ready', 'Delayed', 'Run p50', 'Run p99']}
      numbers={4}
    >
      {queues.map((queue) => (
        <tr key={`${queue.controller} ${queue.cluster ?? ''}`}>
          <td>
            <strong>{queue.controller}</strong>
            {queue.cluster && <span class="muted"> {queue.cluster}</span>} <Stepping queue={queue} />
          </td>
          <td>
            <Workers busy={queue.busy} workers={queue.workers} />
          </td>
          <td class="number">{formatCount(queue.ready)}</td>
          <td class="number">{formatCount(queue.delayed)}</td>
          <td class="number nowrap">{queue.run ? displayDuration(queue.run.p50) : '–'}</td>
          <td class="number nowrap">{queue.run ? displayDuration(queue.run.p99) : '–'}</td>
        </tr>
      ))}
    </TablePanel>
  );
}

/** Pauses a controller, in development mode only. */
function Stepping({ queue: { controller, isPaused } }: { readonly queue: QueueState }) {
  if (!isDevelopment.value) return null;
  const send = async (action: 'pause' | 'resume' | 'step', text: string): Promise<void> => {
    try {
      runtime.value = await postJson<RuntimeState>(`${action}/${encodeURIComponent(controller)}`, {});
      announce(text);
    } catch (error) {
      announce((error as Error).message);
    }
  };
  const button = (action: 'pause' | 'resume' | 'step', label: string, text: string) => (
    <button type="button" aria-label={`${label} ${controller}`} onClick={() => void send(action, text)}>
      {label}
    </button>
  );
  if (!isPaused) return <span class="actions">{button('pause', 'Pause', `${controller} is paused`)}</span>;
  return (
    <span class="actions">
      <State tone="warn" icon="clock" text="Paused" />
      {button('step', 'Step', `${controller} reconciles one object`)}
      {button('resume', 'Resume', `${controller} is resumed`)}
    </span>
  );
}

function Workers({ busy, workers }: { readonly busy: number; readonly workers: number }) {
  return (
    <span class="workers">
      <meter min={0} max={workers} value={busy} aria-hidden="true" />
      <span>
        {busy} of {workers} busy
      </span>
    </span>
  );
}

function Keys({ queue }: { readonly queue: QueueState }) {
  const keys = [
    ...queue.working.map((key) => ({ key, name: 'working' as const })),
    ...queue.waitingKeys.map((key) => ({ key, name: 'waiting' as const })),
    ...queue.delayedKeys.map((key) => ({ key, name: 'delayed' as const })),
  ];
  if (keys.length === 0) return null;
  return (
    <TablePanel
      id={`queue-${queue.controller}-${queue.cluster ?? ''}`}
      title={`Queue of ${queue.controller}`}
      note="the oldest first"
      columns={['State', 'Object', 'Why', 'For', 'Due in']}
      numbers={2}
    >
      {keys.map(({ key, name }) => (
        <QueuedKey key={`${name} ${objectName(key.object)}`} name={name} queued={key} />
      ))}
    </TablePanel>
  );
}

function QueuedKey({
  name,
  queued,
}: {
  readonly name: 'working' | 'waiting' | 'delayed';
  readonly queued: QueuedKeyWire;
}) {
  return (
    <tr>
      <td class="nowrap">
        {name === 'working' ? (
          <State tone="busy" icon="busy" text="Running" />
        ) : (
          <State tone="none" icon="clock" text={name === 'waiting' ? 'Waiting' : 'Delayed'} />
        )}
      </td>
      <td>
        <ObjectLink object={queued.object} />
      </td>
      <td class="muted">
        {queued.why}
        {queued.isHeldByHotLoop && <span class="state-warn"> delayed because it runs too often</span>}
      </td>
      <td class="number nowrap">{displayDuration(queued.ageMs)}</td>
      <td class="number nowrap">{queued.dueInMs === undefined ? '–' : displayDuration(Math.max(0, queued.dueInMs))}</td>
    </tr>
  );
}

const WATCH_STATES = {
  watching: <State tone="ok" icon="ok" text="Watching" />,
  listing: <State tone="busy" icon="busy" text="Listing" />,
  waiting: <State tone="warn" icon="clock" text="Reconnecting" />,
};

function Watches({ watches }: { readonly watches: readonly WatchLine[] }) {
  return (
    <TablePanel
      id="watches"
      title="Watches"
      columns={['Kind', 'Namespace', 'State', 'Objects', 'Events/s', 'Last event']}
      numbers={3}
    >
      {watches.map((watch) => (
        <tr key={`${watch.kind} ${watch.namespace ?? ''} ${watch.cluster ?? ''}`}>
          <td title={watch.kind}>
            {kindName(watch.kind)}
            {watch.cluster && <span class="muted"> {watch.cluster}</span>}
            {watch.error && <p class="state-bad">{watch.error}</p>}
          </td>
          <td class="muted">{watch.namespace ?? 'all'}</td>
          <td class="nowrap">{WATCH_STATES[watch.state]}</td>
          <td class="number">{formatCount(watch.objects)}</td>
          <td class="number">{formatNumber(watch.eventsPerSecond ?? 0)}</td>
          <td class="number nowrap">{watch.lastEventMs === undefined ? '–' : formatAgo(0, watch.lastEventMs)}</td>
        </tr>
      ))}
    </TablePanel>
  );
}
