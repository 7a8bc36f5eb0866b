import type { Alarm } from '../oracles/oracle.js';
import type { TimelineEntry } from './timeline.js';

/** A problem as it is shown. */
export interface ShownProblem {
  readonly alarm: Alarm;
  /** Plan or seed, and how it was shrunk. */
  readonly origin: string;
  readonly timeline: readonly TimelineEntry[];
  /** The command that repeats the run. */
  readonly replay: string;
}

/** Colors a part of the output; without colors, returns the text. */
export type Paint = (style: 'red' | 'yellow' | 'dim' | 'bold', text: string) => string;

const PLACE_COLUMN = 72;
const MINUTE_MS = 60_000;

/** Returns a problem as lines: what is wrong, how it came about, and how to repeat it. */
export function formatProblem(problem: ShownProblem, paint: Paint = (_, text) => text): string[] {
  const { alarm, origin, timeline, replay } = problem;
  const width = Math.max(0, ...timeline.map(({ actor }) => actor.length));
  const times = timeline.map(({ at }) => timeText(at));
  const timeWidth = Math.max(0, ...times.map(({ length }) => length));
  return [
    `${paint('red', '✗')} ${paint('bold', alarm.message)}  ${paint('dim', alarm.oracle)}`,
    paint('dim', `  ${origin}`),
    '',
    ...timeline.flatMap(({ mark, actor, text, place, note }, index) => {
      const time = (times[index] ?? '').padStart(timeWidth);
      const line = ` ${mark} ${time}  ${actor.padEnd(width)}  ${text}`;
      const shown = mark === '✗' ? paint('yellow', line) : mark === '!' ? paint('red', line) : line;
      const located =
        place === undefined
          ? shown
          : `${shown}${' '.repeat(Math.max(2, PLACE_COLUMN - line.length))}${paint('dim', place)}`;
      const indent = ' '.repeat(timeWidth + width + 7);
      return note === undefined ? [located] : [located, `${indent}${paint('yellow', note)}`];
    }),
    '',
    `  replay  ${replay}`,
  ];
}

/** Seconds with milliseconds; minutes from ten of them on. */
function timeText(ms: number): string {
  return ms < 10 * MINUTE_MS ? (ms / 1000).toFixed(3) : `${String(Math.round(ms / MINUTE_MS))} min`;
}
