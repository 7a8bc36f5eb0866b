import type { ControllerSample, MetricsSample } from '../../wire.js';
import { displayDuration, formatNumber, displayTime } from '../format.js';
import { Chart, type Series } from '../parts/chart.js';
import { Empty } from '../parts/message.js';
import { TablePanel } from '../parts/table-panel.js';
import { samples } from '../store.js';

/** Measurements of the last 15 minutes. */
export function MetricsScreen() {
  const all = samples.value;
  const charts = all.length < 2 ? [] : chartsOf(all);
  const times = all.map(({ at }) => at / 1000);
  return (
    <div class="screen">
      <div class="title">
        <h1>Metrics</h1>
        <span class="muted">the last 15 minutes, one value each second</span>
      </div>
      {charts.length === 0 && <Empty title="Measuring …">The charts appear after two seconds.</Empty>}
      <div class="charts">
        {charts.map((chart) => (
          <section key={chart.title} class="panel" aria-label={chart.title}>
            <header>
              <h2>{chart.title}</h2>
              <Legend chart={chart} />
            </header>
            <Chart title={chart.title} times={times} series={chart.series} format={chart.format} />
          </section>
        ))}
      </div>
      {charts.length > 0 && <MinutesTable all={all} charts={charts} />}
    </div>
  );
}

interface ChartContent {
  readonly title: string;
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
}

function chartsOf(all: readonly MetricsSample[]): ChartContent[] {
  const names = [...new Set(all.flatMap(({ controllers }) => Object.keys(controllers)))].sort();
  const byController = (value: (sample: ControllerSample) => number | undefined): Series[] =>
    names.map((name) => ({
      name,
      values: all.map(({ controllers }) => value(controllers[name] ?? NO_SAMPLE) ?? null),
    }));
  const codes = [...new Set(all.flatMap(({ apiCalls = {} }) => Object.keys(apiCalls)))].sort();
  const byCode = codes.map((code) => ({
    name: code === '<error>' ? 'no response' : code,
    values: all.map(({ apiCalls = {} }) => apiCalls[code] ?? 0),
  }));
  return [
    { title: 'Runs per second', series: byController(({ runs }) => runs), format: formatNumber },
    { title: 'Errors per second', series: byController(({ errors }) => errors), format: formatNumber },
    { title: 'Writes per second', series: byController(({ writes }) => writes), format: formatNumber },
    ...(codes.length === 0 ? [] : [{ title: 'API calls per second', series: byCode, format: formatNumber }]),
    { title: 'Queue length', series: byController(({ queued }) => queued), format: formatNumber },
    { title: 'Run duration, p50', series: byController(({ run }) => run?.p50), format: displayDuration },
    { title: 'Run duration, p99', series: byController(({ run }) => run?.p99), format: displayDuration },
    {
      title: 'Event-loop delay',
      series: [{ name: 'delay', values: all.map(({ eventLoopDelayMs }) => eventLoopDelayMs) }],
      format: displayDuration,
    },
    {
      title: 'CPU',
      series: [{ name: 'of one core', values: all.map(({ cpuPercent }) => cpuPercent) }],
      format: (value) => `${formatNumber(value)} %`,
    },
    {
      title: 'Memory',
      series: [
        { name: 'heap', values: all.map(({ heapBytes }) => heapBytes) },
        { name: 'resident', values: all.map(({ rssBytes }) => rssBytes) },
      ],
      format: (value) => `${(value / 1024 / 1024).toFixed(0)} MB`,
    },
  ];
}

const NO_SAMPLE: ControllerSample = { runs: 0, errors: 0, writes: 0, queued: 0, busy: 0 };

function Legend({ chart: { series, format } }: { readonly chart: ChartContent }) {
  return (
    <ul class="legend">
      {series.map(({ name, values }, index) => {
        const last = values.at(-1);
        return (
          <li key={name}>
            <span class={`swatch swatch-${String(index % 6)}`} aria-hidden="true" />
            <span class="muted">{name}</span> <span>{last === null || last === undefined ? '–' : format(last)}</span>
          </li>
        );
      })}
    </ul>
  );
}

/** The highest value of each minute of each line, for screen readers. */
function MinutesTable({
  all,
  charts,
}: {
  readonly all: readonly MetricsSample[];
  readonly charts: readonly ChartContent[];
}) {
  const minutes = [...new Set(all.map(({ at }) => Math.floor(at / 60_000)))].toReversed();
  const columns = charts.flatMap((chart) => chart.series.map((line) => ({ chart, line })));
  return (
    <details class="metrics-table">
      <summary>Show the values as a table</summary>
      <TablePanel
        id="metrics-table"
        title="Highest value of each minute"
        columns={['Minute', ...columns.map(({ chart, line }) => `${chart.title}: ${line.name}`)]}
        numbers={columns.length}
      >
        {minutes.map((minute) => (
          <tr key={minute}>
            <th scope="row">{displayTime(minute * 60_000).slice(0, 5)}</th>
            {columns.map(({ chart, line }) => (
              <td key={`${chart.title} ${line.name}`} class="number nowrap">
                {formatHighest(line, chart, (index) => Math.floor((all[index]?.at ?? 0) / 60_000) === minute)}
              </td>
            ))}
          </tr>
        ))}
      </TablePanel>
    </details>
  );
}

function formatHighest({ values }: Series, { format }: ChartContent, isIn: (index: number) => boolean): string {
  const found = values.filter((value, index) => value !== null && isIn(index)) as number[];
  return found.length === 0 ? '–' : format(Math.max(...found));
}
