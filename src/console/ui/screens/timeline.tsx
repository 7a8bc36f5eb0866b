import { useMemo, useState } from 'preact/hooks';
import type { RunPage, RunSummary } from '../../wire.js';
import { getJson } from '../api.js';
import { formatCount, displayDuration, formatNoun, displayPreciseTime } from '../format.js';
import { Empty, Failure } from '../parts/message.js';
import { FilterInput, FilterSelect } from '../parts/filters.js';
import { kindName, objectName } from '../parts/references.js';
import { RunHistogram } from '../parts/run-histogram.js';
import { isFailure, OutcomeState } from '../parts/state.js';
import { useNarrow } from '../parts/use-narrow.js';
import { VirtualList } from '../parts/virtual-list.js';
import { hrefOf, navigate, route } from '../router.js';
import { hello, mergedRuns, objectWithUid, routineRuns, runs } from '../store.js';
import { useJson } from '../use-json.js';

const COLUMNS = ['Time', 'Outcome', 'Duration', 'Object', 'Why', 'Writes'];
const PAGE = 100;

/** The runs of all objects or of one, the newest first. */
export function TimelineScreen() {
  const { parameters } = route.value;
  const uid = parameters.get('object') ?? '';
  const { all, page, error, loadOlder } = useRuns(uid);
  const filter: Filter = {
    text: (parameters.get('q') ?? '').toLowerCase(),
    outcome: parameters.get('outcome') ?? '',
    controller: parameters.get('controller') ?? '',
  };
  const shown = useMemo(
    () => all.filter((run) => isShown(run, filter)),
    [all, filter.text, filter.outcome, filter.controller],
  );
  return (
    <div class="screen screen-fill">
      <Title uid={uid} />
      {error && <Failure error={error} />}
      <RunHistogram runs={shown} />
      <div class="filters" role="search">
        <FilterInput name="q" label="Filter by object or cause" />
        <FilterSelect name="outcome" label="Outcome" options={OUTCOMES} />
        <FilterSelect name="controller" label="Controller" options={[['', 'All controllers'], ...controllers()]} />
        <span class="count">
          {formatNoun(shown.length, 'run')}
          {routineRuns.value > 0 && !uid && `, ${formatCount(routineRuns.value)} without a change left out`}
        </span>
      </div>
      {shown.length > 0 ? <RunList runs={shown} /> : <NoRuns isFiltered={all.length > 0} isLoading={!page && !error} />}
      {page && <OlderRuns page={page} onLoad={loadOlder} />}
    </div>
  );
}

/** The recorded runs that were requested, with those of the stream. */
function useRuns(uid: string) {
  const [older, setOlder] = useState<{ readonly path: string; readonly page: RunPage }>();
  const path = uid ? `objects/${encodeURIComponent(uid)}/runs` : 'runs';
  const first = useJson<RunPage>(`${path}?limit=${String(PAGE)}`);
  const page = older?.path === path ? older.page : first.data;
  const all = useMemo(() => {
    const live = uid ? runs.value.filter(({ object }) => object.uid === uid) : runs.value;
    return mergedRuns(mergedRuns(first.data?.runs ?? [], page?.runs ?? []), live);
  }, [uid, first.data, page, runs.value]);

  const loadOlder = async () => {
    if (!page?.next) return;
    const next = await getJson<RunPage>(`${path}?limit=${String(PAGE)}&before=${encodeURIComponent(page.next)}`);
    setOlder({ path, page: { ...next, runs: mergedRuns(page.runs, next.runs) } });
  };
  return { all, page, error: first.error, loadOlder };
}

function OlderRuns({ page, onLoad }: { readonly page: RunPage; readonly onLoad: () => Promise<void> }) {
  if (page.next) {
    return (
      <p>
        <button type="button" onClick={() => void onLoad()}>
          Load {PAGE} older runs
        </button>
      </p>
    );
  }
  if (page.dropped === 0) return null;
  return <p class="muted">{formatNoun(page.dropped, 'older run')} not kept: the memory for them is limited.</p>;
}

function RunList({ runs: shown }: { readonly runs: readonly RunSummary[] }) {
  const isNarrow = useNarrow();
  return (
    <VirtualList
      label="Runs"
      className="timeline"
      columns={COLUMNS}
      rows={shown}
      rowHeight={isNarrow ? 52 : 28}
      keyOf={idOf}
      onOpen={(run) => {
        navigate(hrefOf('runs', run.id));
      }}
    >
      {(run) => <RunCells run={run} />}
    </VirtualList>
  );
}

function Title({ uid }: { readonly uid: string }) {
  const row = uid ? objectWithUid(uid) : undefined;
  return (
    <div class="title">
      <h1>Timeline</h1>
      {uid && (
        <>
          <a href={hrefOf('objects', uid)}>{row ? `${kindName(row.kind)} ${objectName(row)}` : 'a deleted object'}</a>
          <span class="actions">
            <a class="button" href={hrefOf('runs')}>
              Show all objects
            </a>
          </span>
        </>
      )}
    </div>
  );
}

function RunCells({ run }: { readonly run: RunSummary }) {
  return (
    <>
      <span role="gridcell" class="muted mono">
        {displayPreciseTime(run.at)}
      </span>
      <span role="gridcell">
        <OutcomeState outcome={run.outcome} />
        {run.attempt > 1 && <span class="muted"> try {run.attempt}</span>}
      </span>
      <span role="gridcell" class="number">
        {run.ms !== undefined && displayDuration(run.ms)}
      </span>
      <span role="gridcell" title={`${run.controller}: ${objectName(run.object)}`}>
        <a href={hrefOf('runs', run.id)} tabIndex={-1}>
          <span class="muted">{kindName(run.object.kind)} </span>
          {objectName(run.object)}
        </a>
      </span>
      <span role="gridcell" title={run.error ?? run.why} class={run.error ? 'state-bad' : 'muted'}>
        {run.error ?? run.why}
      </span>
      <span role="gridcell" class="number">
        {run.writes || ''}
      </span>
    </>
  );
}

function NoRuns({ isFiltered, isLoading }: { readonly isFiltered: boolean; readonly isLoading: boolean }) {
  if (isFiltered) return <Empty title="No run matches the filter" />;
  if (isLoading) return <Empty title="Loading runs …" />;
  return <Empty title="No runs yet">A run is recorded when a controller reconciles an object.</Empty>;
}

interface Filter {
  readonly text: string;
  readonly outcome: string;
  readonly controller: string;
}

const OUTCOMES = [
  ['', 'All runs'],
  ['notable', 'With writes or errors'],
  ['failed', 'Failed'],
  ['running', 'Running'],
] as const;

function controllers(): (readonly [string, string])[] {
  return (hello.value?.controllers ?? []).map(({ name }) => [name, name]);
}

function isShown(run: RunSummary, { text, outcome, controller }: Filter): boolean {
  if (controller && run.controller !== controller) return false;
  if (outcome === 'notable' && !run.isNotable) return false;
  if (outcome === 'failed' && !isFailure(run.outcome)) return false;
  if (outcome === 'running' && run.outcome) return false;
  if (!text) return true;
  return `${objectName(run.object)} ${run.why} ${run.error ?? ''}`.toLowerCase().includes(text);
}

function idOf({ id }: RunSummary): string {
  return id;
}
