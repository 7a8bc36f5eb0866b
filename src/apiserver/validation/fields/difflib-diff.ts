interface Match {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

/** Lines `a` to `aEnd` of one text, and their replacement in the other text. */
interface Change {
  readonly isEqual: boolean;
  readonly a: number;
  readonly aEnd: number;
  readonly b: number;
  readonly bEnd: number;
}

const CONTEXT = 3;
const MANY_LINES = 200;

/**
 * Returns the unified diff of two texts as printed by Kubernetes' util/diff: without file names, and with the
 * algorithm of Python's difflib, which ignores frequent lines of long texts.
 *
 * The library `diff` cannot replace it: messages of the API server contain the diff, and a minimal edit script keeps
 * other lines than difflib's longest matching blocks in half of random texts.
 */
export function difflibDiff(old: string, next: string): string {
  const [a, b] = [old.split('\n'), next.split('\n')];
  return hunks(changes(a, b, matchingBlocks(a, b)))
    .map((hunk) =>
      [header(hunk), ...hunk.flatMap((change) => linesOf(change, a, b))].map((line) => `${line}\n`).join(''),
    )
    .join('');
}

/** Returns the line numbers of the lines that can start a match. */
function placesOf(lines: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  lines.forEach((line, index) => {
    const present = places.get(line);
    if (present) present.push(index);
    else places.set(line, [index]);
  });
  if (lines.length < MANY_LINES) return places;
  const most = Math.floor(lines.length / 100) + 1;
  for (const [line, found] of places) if (found.length > most) places.delete(line);
  return places;
}

function matchingBlocks(a: readonly string[], b: readonly string[]): Match[] {
  const places = placesOf(b);
  const find = (aLow: number, aHigh: number, bLow: number, bHigh: number): Match[] => {
    const match = extended(longestMatch(a, places, [aLow, aHigh, bLow, bHigh]), a, b, [aLow, aHigh, bLow, bHigh]);
    if (match.size === 0) return [];
    const [aEnd, bEnd] = [match.a + match.size, match.b + match.size];
    return [
      ...(aLow < match.a && bLow < match.b ? find(aLow, match.a, bLow, match.b) : []),
      match,
      ...(aEnd < aHigh && bEnd < bHigh ? find(aEnd, aHigh, bEnd, bHigh) : []),
    ];
  };
  return [...joined(find(0, a.length, 0, b.length)), { a: a.length, b: b.length, size: 0 }];
}

type Range = readonly [aLow: number, aHigh: number, bLow: number, bHigh: number];

function longestMatch(
  a: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  [aLow, aHigh, bLow, bHigh]: Range,
): Match {
  let best: Match = { a: aLow, b: bLow, size: 0 };
  let lengths = new Map<number, number>();
  for (let i = aLow; i < aHigh; i++) {
    const longer = new Map<number, number>();
    for (const j of places.get(a[i] ?? '') ?? []) {
      if (j < bLow || j >= bHigh) continue;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      longer.set(j, size);
      if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
    }
    lengths = longer;
  }
  return best;
}

/** Extends the match by adjacent equal lines that were ignored. */
function extended(match: Match, a: readonly string[], b: readonly string[], [aLow, aHigh, bLow, bHigh]: Range): Match {
  let { a: start, b: other, size } = match;
  while (start > aLow && other > bLow && a[start - 1] === b[other - 1]) {
    start--;
    other--;
    size++;
  }
  while (start + size < aHigh && other + size < bHigh && a[start + size] === b[other + size]) size++;
  return { a: start, b: other, size };
}

function joined(matches: readonly Match[]): Match[] {
  const blocks: Match[] = [];
  for (const match of matches) {
    const last = blocks.at(-1);
    if (last && last.a + last.size === match.a && last.b + last.size === match.b)
      blocks[blocks.length - 1] = { ...last, size: last.size + match.size };
    else blocks.push(match);
  }
  return blocks;
}

function changes(a: readonly string[], b: readonly string[], blocks: readonly Match[]): Change[] {
  let [i, j] = [0, 0];
  const found = blocks.flatMap((block) => {
    const [aEnd, bEnd] = [block.a + block.size, block.b + block.size];
    const between = { isEqual: false, a: i, aEnd: block.a, b: j, bEnd: block.b };
    [i, j] = [aEnd, bEnd];
    return [
      ...(between.a < between.aEnd || between.b < between.bEnd ? [between] : []),
      ...(block.size > 0 ? [{ isEqual: true, a: block.a, aEnd, b: block.b, bEnd }] : []),
    ];
  });
  return found.length === 0 ? [{ isEqual: true, a: 0, aEnd: a.length, b: 0, bEnd: b.length }] : found;
}

/** Groups adjacent changes with their context lines. */
function hunks(all: readonly Change[]): Change[][] {
  let group: Change[] = [];
  const groups = [group];
  all.forEach((change, index) => {
    if (!change.isEqual) {
      group.push(change);
      return;
    }
    const [isFirst, isLast] = [index === 0, index === all.length - 1];
    const isLong = change.aEnd - change.a > 2 * CONTEXT;
    if (!isFirst && !isLast && !isLong) {
      group.push(change);
      return;
    }
    if (!isFirst) group.push(head(change));
    if (!isFirst && !isLast) groups.push((group = []));
    if (!isLast) group.push(tail(change));
  });
  return groups.filter((group) => group.some(({ isEqual }) => !isEqual));
}

function head(change: Change): Change {
  const size = Math.min(CONTEXT, change.aEnd - change.a);
  return { ...change, aEnd: change.a + size, bEnd: change.b + size };
}

function tail(change: Change): Change {
  const size = Math.min(CONTEXT, change.aEnd - change.a);
  return { ...change, a: change.aEnd - size, b: change.bEnd - size };
}

function header(hunk: readonly Change[]): string {
  const [a, aEnd] = [Math.min(...hunk.map((change) => change.a)), Math.max(...hunk.map((change) => change.aEnd))];
  const [b, bEnd] = [Math.min(...hunk.map((change) => change.b)), Math.max(...hunk.map((change) => change.bEnd))];
  return `@@ -${range(a, aEnd)} +${range(b, bEnd)} @@`;
}

function range(start: number, end: number): string {
  const size = end - start;
  if (size === 1) return String(start + 1);
  return `${size === 0 ? start : start + 1},${size}`;
}

function linesOf({ isEqual, a, aEnd, b, bEnd }: Change, old: readonly string[], next: readonly string[]): string[] {
  if (isEqual) return old.slice(a, aEnd).map((line) => ` ${line}`);
  return [...old.slice(a, aEnd).map((line) => `-${line}`), ...next.slice(b, bEnd).map((line) => `+${line}`)];
}
