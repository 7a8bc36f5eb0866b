import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { LineLevel, ShownLine, LogPage } from '../../wire.js';
import { formatNoun } from '../format.js';
import { FilterInput, FilterSelect } from '../parts/filters.js';
import { LogEntry } from '../parts/log-entry.js';
import { Empty, Failure } from '../parts/message.js';
import { objectName } from '../parts/references.js';
import { hrefOf, route } from '../router.js';
import { droppedLines, hello, logLines } from '../store.js';
import { useJson } from '../use-json.js';

/** More lines are shown on request, so that the page stays fast. */
const SHOWN_LINES = 300;

/** The log of the operator, the newest line last. */
export function LogsScreen() {
  const { parameters } = route.value;
  const run = parameters.get('run') ?? '';
  const ofRun = useJson<LogPage>(run ? `logs?run=${encodeURIComponent(run)}` : 'logs?limit=1');
  const [count, setCount] = useState(SHOWN_LINES);
  const all = run ? (ofRun.data?.lines ?? []) : logLines.value;
  const filter = {
    text: (parameters.get('q') ?? '').toLowerCase(),
    level: (parameters.get('level') ?? 'debug') as LineLevel,
    controller: parameters.get('controller') ?? '',
  };
  const matching = all.filter((line) => isShown(line, filter));
  const shown = matching.slice(-count);
  const [isFollowed, setFollowed] = useState(true);
  const frame = useFollow(isFollowed, shown, setFollowed);
  return (
    <div class="screen screen-fill">
      <div class="title">
        <h1>Logs</h1>
        {run && (
          <>
            <a href={hrefOf('runs', run)}>of run {run}</a>
            <span class="actions">
              <a class="button" href={hrefOf('logs')}>
                Show all lines
              </a>
            </span>
          </>
        )}
      </div>
      <div class="filters" role="search">
        <FilterInput name="q" label="Filter by text" />
        <FilterSelect name="level" label="Level" options={LEVELS} />
        <FilterSelect name="controller" label="Controller" options={[['', 'All controllers'], ...controllers()]} />
        <button type="button" aria-pressed={isFollowed} onClick={() => setFollowed(!isFollowed)}>
          Follow
        </button>
        <span class="count">
          {formatNoun(matching.length, 'line')}
          {droppedLines.value > 0 && `, ${formatNoun(droppedLines.value, 'older line')} not kept`}
        </span>
      </div>
      {ofRun.error && <Failure error={ofRun.error} />}
      <div ref={frame} class="panel log-frame" role="log" aria-live="off" aria-label="Log lines" tabIndex={0}>
        {matching.length > shown.length && (
          <p class="body">
            <button type="button" onClick={() => setCount(count + 1000)}>
              Show {formatNoun(Math.min(1000, matching.length - shown.length), 'older line')}
            </button>
          </p>
        )}
        {shown.length === 0 ? (
          <Empty title={all.length > 0 ? 'No line matches the filter' : 'No lines yet'} />
        ) : (
          <ol class="log">
            {shown.map((line) => (
              <LogEntry key={line.seq} line={line} />
            ))}
          </ol>
        )}
      </div>
    </div>
  );
}

/** Scrolls to the last line whenever lines are added, until the user scrolls up. */
function useFollow(isFollowed: boolean, lines: readonly ShownLine[], setFollowed: (isFollowed: boolean) => void) {
  const frame = useRef<HTMLDivElement>(null);
  const last = lines.at(-1)?.seq;
  useLayoutEffect(() => {
    const element = frame.current;
    if (element && isFollowed) element.scrollTop = element.scrollHeight;
  }, [isFollowed, last]);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    let top = element.scrollTop;
    const onScroll = () => {
      const isAtEnd = element.scrollHeight - element.clientHeight - element.scrollTop < 8;
      if (element.scrollTop < top && !isAtEnd) setFollowed(false);
      top = element.scrollTop;
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      element.removeEventListener('scroll', onScroll);
    };
  }, []);
  return frame;
}

const LEVELS = [
  ['', 'All levels'],
  ['info', 'Info and above'],
  ['warn', 'Warnings and errors'],
  ['error', 'Errors'],
] as const;

const SEVERITY: Readonly<Record<LineLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

interface Filter {
  readonly text: string;
  readonly level: LineLevel;
  readonly controller: string;
}

function controllers(): (readonly [string, string])[] {
  return (hello.value?.controllers ?? []).map(({ name }) => [name, name]);
}

function isShown(line: ShownLine, { text, level, controller }: Filter): boolean {
  if (SEVERITY[line.level] < SEVERITY[level]) return false;
  if (controller && line.controller !== controller) return false;
  if (!text) return true;
  const object = line.name === undefined ? '' : objectName({ name: line.name, namespace: line.namespace ?? '' });
  const fields = Object.entries(line.fields).map(([name, value]) => `${name}=${value}`);
  return [line.message, object, ...fields, line.error?.message ?? ''].join(' ').toLowerCase().includes(text);
}
