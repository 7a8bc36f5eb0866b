/** One line of a comparison: in both, only before, or only after. */
interface DiffLine {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

const CONTEXT = 3;
/** Above this number of pairs of lines the middle is shown as replaced instead of compared. */
const MAX_CELLS = 4_000_000;

/** The difference of two texts in the format of `diff -u`; empty when they are equal. */
export function unifiedDiff(fromName: string, toName: string, from: string, to: string): string {
  if (from === to) return '';
  const lines = diffLines(splitLines(from), splitLines(to));
  return `--- ${fromName}\n+++ ${toName}\n${hunks(lines).join('')}`;
}

/** A last line without a line break is marked, so that it differs from one with it. */
function splitLines(text: string): string[] {
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  if (last !== '') lines.push(`${last}\n\\ No newline at end of file`);
  return lines;
}

function diffLines(from: readonly string[], to: readonly string[]): DiffLine[] {
  let start = 0;
  while (start < from.length && start < to.length && from[start] === to[start]) start++;
  let end = 0;
  while (end < from.length - start && end < to.length - start && from.at(-1 - end) === to.at(-1 - end)) end++;
  const same = (text: string): DiffLine => ({ sign: ' ', text });
  return [
    ...from.slice(0, start).map(same),
    ...diffMiddle(from.slice(start, from.length - end), to.slice(start, to.length - end)),
    ...from.slice(from.length - end).map(same),
  ];
}

function diffMiddle(from: readonly string[], to: readonly string[]): DiffLine[] {
  const removed = from.map((text): DiffLine => ({ sign: '-', text }));
  const added = to.map((text): DiffLine => ({ sign: '+', text }));
  if (from.length * to.length > MAX_CELLS) return [...removed, ...added];
  const common = commonLengths(from, to);
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < from.length && j < to.length) {
    if (from[i] === to[j]) {
      lines.push({ sign: ' ', text: from[i] ?? '' });
      i++;
      j++;
    } else if (common(i + 1, j) >= common(i, j + 1)) lines.push(...removed.slice(i, ++i));
    else lines.push(...added.slice(j, ++j));
  }
  return [...lines, ...removed.slice(i), ...added.slice(j)];
}

/** Length of the longest common subsequence of the lines after each pair. */
function commonLengths(from: readonly string[], to: readonly string[]): (i: number, j: number) => number {
  const width = to.length + 1;
  const lengths = new Uint32Array((from.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = from.length - 1; i >= 0; i--) {
    for (let j = to.length - 1; j >= 0; j--) {
      lengths[i * width + j] = from[i] === to[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  return at;
}

/** Changes with the lines around them; adjacent changes are in one hunk. */
function hunks(lines: readonly DiffLine[]): string[] {
  const changed = lines.flatMap(({ sign }, index) => (sign === ' ' ? [] : [index]));
  const ranges: { start: number; end: number }[] = [];
  for (const index of changed) {
    const last = ranges.at(-1);
    const end = Math.min(lines.length, index + CONTEXT + 1);
    if (last && index - CONTEXT <= last.end) last.end = end;
    else ranges.push({ start: Math.max(0, index - CONTEXT), end });
  }
  return ranges.map(({ start, end }) => hunk(lines, start, end));
}

function hunk(lines: readonly DiffLine[], start: number, end: number): string {
  const count = (without: DiffLine['sign'], from: number, to: number): number =>
    lines.slice(from, to).filter(({ sign }) => sign !== without).length;
  const range = (without: DiffLine['sign']): string => {
    const length = count(without, start, end);
    return `${count(without, 0, start) + (length > 0 ? 1 : 0)},${length}`;
  };
  const body = lines.slice(start, end).map(({ sign, text }) => `${sign}${text}\n`);
  return `@@ -${range('+')} +${range('-')} @@\n${body.join('')}`;
}
