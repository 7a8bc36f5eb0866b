import { elapsed } from '../../base/clock.js';
import { printableText } from '../../base/printable-text.js';
import { SystemClock } from '../../base/system-clock.js';
import type { Hello, ObjectPage, ObjectRow, RuntimeState } from '../../console/wire.js';
import { printLine } from '../print-line.js';
import { stopSignal } from '../stop-signal.js';
import { ConsoleClient, type ConsoleChoice } from './console-client.js';
import { titleOf } from './find-object.js';

export interface TopOptions extends ConsoleChoice {
  /** Print one table and end. */
  readonly once?: boolean;
}

const REFRESH_MS = 1000;
const CLEAR = '\u001b[H\u001b[2J';

/** Prints queues and objects, again each second on a terminal. */
export async function top({ once = false, ...choice }: TopOptions): Promise<void> {
  const client = ConsoleClient.open(choice);
  const isLive = !once && process.stdout.isTTY;
  const signal = isLive ? stopSignal() : undefined;
  for (;;) {
    const [hello, runtime, page] = await Promise.all([
      client.get<Hello>('hello'),
      client.get<RuntimeState>('runtime'),
      client.get<ObjectPage>('objects?limit=500'),
    ]);
    const lines = topLines(hello, runtime, page).map(printableText);
    if (!isLive) {
      for (const line of lines) printLine(line);
      return;
    }
    process.stdout.write(`${CLEAR}${lines.slice(0, process.stdout.rows - 1).join('\n')}\n`);
    if (!signal || !(await elapsed(new SystemClock(), REFRESH_MS, signal))) return;
  }
}

/** The lines of `kindwright top`. */
export function topLines(
  { operator, isLeader, now }: Hello,
  { queues }: RuntimeState,
  { rows, total }: ObjectPage,
): string[] {
  const own = [...rows].sort((a, b) => (b.lastRun?.at ?? 0) - (a.lastRun?.at ?? 0));
  const more = total > rows.length ? [`… ${total - rows.length} more objects`] : [];
  return [
    `${operator}  ${isLeader ? 'leader' : 'waits for the lease'}`,
    '',
    ...table(
      ['CONTROLLER', 'WORKERS', 'READY', 'DELAYED', 'P50', 'P99'],
      queues.map(({ controller, busy, workers, ready, delayed, run }) => [
        controller,
        `${busy} of ${workers}`,
        String(ready),
        String(delayed),
        run ? `${run.p50.toFixed(1)} ms` : '-',
        run ? `${run.p99.toFixed(1)} ms` : '-',
      ]),
    ),
    '',
    ...table(
      ['OBJECT', 'STATE', 'LAST RUN', 'RUNS/MIN'],
      own.map((row) => [titleOf(row), stateOf(row), lastRunOf(row, now), String(row.runsPerMinute ?? 0)]),
    ),
    ...more,
  ];
}

function stateOf({ state, detail }: ObjectRow): string {
  return `${state === '' ? '-' : state}${detail === undefined ? '' : ` ${detail.slice(0, 40)}`}`;
}

function lastRunOf({ lastRun }: ObjectRow, now: number): string {
  return lastRun ? `${lastRun.outcome ?? 'running'} ${Math.max(0, Math.round((now - lastRun.at) / 1000))} s ago` : '-';
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
