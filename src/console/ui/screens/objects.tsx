import { useMemo } from 'preact/hooks';
import type { ObjectRow } from '../../wire.js';
import { formatAgo, formatCount, formatNoun } from '../format.js';
import { Empty } from '../parts/message.js';
import { FilterInput, FilterSelect } from '../parts/filters.js';
import { kindName, objectName } from '../parts/references.js';
import { isFailure, LevelState, OutcomeState, State } from '../parts/state.js';
import { useNarrow } from '../parts/use-narrow.js';
import { VirtualList } from '../parts/virtual-list.js';
import { hrefOf, navigate, route } from '../router.js';
import { hello, isComplete, isDevelopment, now, objectRows } from '../store.js';

const COLUMNS = ['Kind', 'Name', 'State', 'Generation', 'Last run', 'Runs/min'];

/** All objects that the operator caches. */
export function ObjectsScreen() {
  const { parameters } = route.value;
  const filter: Filter = {
    kind: parameters.get('kind') ?? '',
    text: (parameters.get('q') ?? '').toLowerCase(),
    state: parameters.get('state') ?? '',
    sort: parameters.get('sort') ?? '',
  };
  const all = objectRows.value;
  const rows = useMemo(
    () =>
      sorted(
        all.filter((row) => isShown(row, filter)),
        filter.sort,
      ),
    [all, filter.kind, filter.text, filter.state, filter.sort],
  );
  const isNarrow = useNarrow();
  return (
    <div class="screen screen-fill">
      <div class="title">
        <h1>Objects</h1>
        <Summary rows={all} />
        {isDevelopment.value && (
          <span class="actions">
            <a class="button" href={hrefOf('edit')}>
              New object …
            </a>
          </span>
        )}
      </div>
      <div class="filters" role="search">
        <FilterInput name="q" label="Filter by name" />
        <FilterSelect name="kind" label="Kind" options={[['', 'All kinds'], ...kinds()]} />
        <FilterSelect name="state" label="State" options={STATES} />
        <FilterSelect name="sort" label="Order" options={ORDERS} />
        <span class="count">
          {rows.length === all.length
            ? `${formatCount(all.length)} objects`
            : `${formatCount(rows.length)} of ${formatCount(all.length)} objects`}
        </span>
      </div>
      {rows.length > 0 ? (
        <VirtualList
          label="Objects"
          className="objects"
          columns={COLUMNS}
          rows={rows}
          rowHeight={isNarrow ? 52 : 28}
          keyOf={uidOf}
          onOpen={(row) => {
            navigate(hrefOf('objects', row.uid));
          }}
        >
          {(row) => <ObjectCells row={row} />}
        </VirtualList>
      ) : (
        <NoObjects isFiltered={all.length > 0} />
      )}
    </div>
  );
}

/** The numbers of objects that need a look, as filters. */
function Summary({ rows }: { readonly rows: readonly ObjectRow[] }) {
  const errors = rows.filter(({ level }) => level === 'error').length;
  const progressing = rows.filter(({ level }) => level === 'progress').length;
  return (
    <>
      {errors > 0 && (
        <a href={hrefOf('objects', '', { state: 'error' })}>
          <State tone="bad" icon="bad" text={formatNoun(errors, 'error')} />
        </a>
      )}
      {progressing > 0 && (
        <a href={hrefOf('objects', '', { state: 'not-ok' })}>
          <State tone="busy" icon="busy" text={`${formatCount(progressing)} progressing`} />
        </a>
      )}
    </>
  );
}

function ObjectCells({ row }: { readonly row: ObjectRow }) {
  const { lastRun } = row;
  return (
    <>
      <span role="gridcell" class="muted" title={row.kind}>
        {kindName(row.kind)}
      </span>
      <span role="gridcell" title={objectName(row)}>
        <a href={hrefOf('objects', row.uid)} tabIndex={-1}>
          {row.namespace && <span class="muted">{row.namespace}/</span>}
          {row.name}
        </a>
      </span>
      <span role="gridcell" title={row.detail}>
        <LevelState level={row.level} text={row.state} />
      </span>
      <span role="gridcell" class="muted">
        <Generation row={row} />
      </span>
      <span role="gridcell" class="last-run">
        {lastRun && (
          <>
            {isFailure(lastRun.outcome) ? <OutcomeState outcome={lastRun.outcome} /> : null}
            <span class="muted">{formatAgo(lastRun.at, now.value)}</span>
          </>
        )}
      </span>
      <span role="gridcell" class={(row.runsPerMinute ?? 0) >= BUSY_RUNS ? 'number state-warn' : 'number'}>
        {row.runsPerMinute ?? ''}
      </span>
    </>
  );
}

/** An object with more runs in a minute is marked. */
const BUSY_RUNS = 30;

function Generation({ row: { generation, observedGeneration } }: { readonly row: ObjectRow }) {
  if (generation === undefined) return null;
  if (observedGeneration === undefined || observedGeneration === generation) return <>{generation}</>;
  return (
    <span class="state-busy" title={`generation ${String(generation)}, observed ${String(observedGeneration)}`}>
      {observedGeneration} → {generation}
    </span>
  );
}

function NoObjects({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No object matches the filter" />;
  if (!isComplete.value) return <Empty title="Loading objects …" />;
  return <Empty title="No objects yet">The operator caches no object. Apply one with kubectl to see it here.</Empty>;
}

interface Filter {
  readonly kind: string;
  readonly text: string;
  readonly state: string;
  readonly sort: string;
}

const STATES = [
  ['', 'All states'],
  ['reconciled', 'Reconciled kinds'],
  ['not-ok', 'Not ready'],
  ['error', 'Errors'],
] as const;

const ORDERS = [
  ['', 'By name'],
  ['state', 'Errors first'],
  ['run', 'Last run first'],
  ['rate', 'Most runs first'],
] as const;

function kinds(): (readonly [string, string])[] {
  return (hello.value?.kinds ?? []).map(({ id, kind, objects }) => [id, `${kind} (${formatCount(objects)})`]);
}

function isShown(row: ObjectRow, { kind, text, state }: Filter): boolean {
  if (kind && row.kind !== kind) return false;
  if (state === 'error' && row.level !== 'error') return false;
  if (state === 'not-ok' && (row.level === 'ok' || row.level === 'none')) return false;
  if (state === 'reconciled' && !hello.value?.controllers.some((controller) => controller.kind === row.kind))
    return false;
  return !text || objectName(row).toLowerCase().includes(text);
}

const SEVERITY = { error: 0, progress: 1, ok: 2, none: 3 };

/** Sorting is stable: equal rows stay in the order of their names. */
function sorted(rows: ObjectRow[], order: string): ObjectRow[] {
  if (order === 'state') rows.sort((a, b) => SEVERITY[a.level] - SEVERITY[b.level]);
  if (order === 'run') rows.sort((a, b) => (b.lastRun?.at ?? 0) - (a.lastRun?.at ?? 0));
  if (order === 'rate') rows.sort((a, b) => (b.runsPerMinute ?? 0) - (a.runsPerMinute ?? 0));
  return rows;
}

function uidOf({ uid }: ObjectRow): string {
  return uid;
}
