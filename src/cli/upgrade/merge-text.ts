import { diffArrays } from 'diff';

/** Labels of the two sides in conflict markers. */
export interface SideLabels {
  readonly ours: string;
  readonly theirs: string;
}

/** A merged text; each conflict is between markers as those of git. */
export interface MergedText {
  readonly text: string;
  readonly conflicts: number;
}

/** The time of a comparison grows with the number of edits times the number of lines. */
const MAX_EDITS = 10_000;

/**
 * Merges two edits of a text line by line.
 *
 * Edits of the same lines or of neighboring lines are a conflict unless they are equal, as in git. Line endings do not
 * count as edits: the result has those of `ours`, as well as its byte order mark and its end with or without a newline.
 *
 * @returns undefined when one side differs from the base in more than 10,000 lines
 */
export function mergeText(base: string, ours: string, theirs: string, labels: SideLabels): MergedText | undefined {
  const mark = ours.startsWith('\uFEFF') ? '\uFEFF' : '';
  const ourLines = linesOf(ours.slice(mark.length));
  const newline = dominantNewline(ourLines);
  const theirLines = linesOf(theirs).map(({ text }) => ({ text, end: newline }));
  const regions = regionsOf(linesOf(base), ourLines, theirLines);
  if (!regions) return undefined;
  const merged: Line[] = [];
  let conflicts = 0;
  for (const region of regions) {
    const lines = withoutConflict(region);
    if (!lines) conflicts += 1;
    merged.push(...(lines ?? withMarkers(region, labels, newline)));
  }
  return { text: mark + joined(merged, newline), conflicts };
}

interface Line {
  readonly text: string;
  /** The newline; empty for a last line without one. */
  readonly end: string;
}

function linesOf(text: string): Line[] {
  return (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line) => {
    const [end = ''] = /\r?\n$/.exec(line) ?? [];
    return { text: line.slice(0, line.length - end.length), end };
  });
}

function dominantNewline(lines: readonly Line[]): string {
  const count = lines.filter(({ end }) => end === '\r\n').length;
  return count * 2 > lines.length ? '\r\n' : '\n';
}

/** Only the last line may lack a newline. */
function joined(lines: readonly Line[], newline: string): string {
  const last = lines.length - 1;
  return lines.map(({ text, end }, index) => text + (end === '' && index < last ? newline : end)).join('');
}

/** Lines of the base, and the lines that each side has in their place. */
interface Region {
  readonly base: readonly Line[];
  readonly ours: readonly Line[];
  readonly theirs: readonly Line[];
}

/** Splits the texts at the lines that all three have in common. */
function regionsOf(base: readonly Line[], ours: readonly Line[], theirs: readonly Line[]): Region[] | undefined {
  const [inOurs, inTheirs] = [commonLines(base, ours), commonLines(base, theirs)];
  if (!inOurs || !inTheirs) return undefined;
  const regions: Region[] = [];
  let [from, ourFrom, theirFrom] = [0, 0, 0];
  const addRegion = (to: number, ourTo: number, theirTo: number): void => {
    const region = {
      base: base.slice(from, to),
      ours: ours.slice(ourFrom, ourTo),
      theirs: theirs.slice(theirFrom, theirTo),
    };
    regions.push(region);
    [from, ourFrom, theirFrom] = [to, ourTo, theirTo];
  };
  for (const at of base.keys()) {
    const [our, their] = [inOurs.get(at), inTheirs.get(at)];
    if (our === undefined || their === undefined) continue;
    addRegion(at, our, their);
    addRegion(at + 1, our + 1, their + 1);
  }
  addRegion(base.length, ours.length, theirs.length);
  return regions;
}

/** The index in `side` of each line of the base that it has kept. */
function commonLines(base: readonly Line[], side: readonly Line[]): Map<number, number> | undefined {
  const text = (line: Line): string => line.text;
  const parts = diffArrays(base.map(text), side.map(text), { maxEditLength: MAX_EDITS });
  if (!parts) return undefined;
  const common = new Map<number, number>();
  let [inBase, inSide] = [0, 0];
  for (const { added, removed, count } of parts) {
    if (!added && !removed) for (let index = 0; index < count; index += 1) common.set(inBase + index, inSide + index);
    if (!added) inBase += count;
    if (!removed) inSide += count;
  }
  return common;
}

/** The lines of the side that changed the region; undefined if both changed it to different lines. */
function withoutConflict({ base, ours, theirs }: Region): readonly Line[] | undefined {
  if (haveEqualText(theirs, base) || haveEqualText(theirs, ours)) return ours;
  return haveEqualText(ours, base) ? theirs : undefined;
}

function haveEqualText(a: readonly Line[], b: readonly Line[]): boolean {
  return a.length === b.length && a.every(({ text }, index) => text === b[index]?.text);
}

/** Lines at the start and at the end that are equal on both sides stay outside of the markers. */
function withMarkers({ ours, theirs }: Region, labels: SideLabels, newline: string): Line[] {
  const head = equalLinesAtStart(ours, theirs);
  const tail = equalLinesAtStart(ours.slice(head).toReversed(), theirs.slice(head).toReversed());
  const marker = (text: string): Line => ({ text, end: newline });
  return [
    ...ours.slice(0, head),
    marker(`<<<<<<< ${labels.ours}`),
    ...ours.slice(head, ours.length - tail),
    marker('======='),
    ...theirs.slice(head, theirs.length - tail),
    marker(`>>>>>>> ${labels.theirs}`),
    ...ours.slice(ours.length - tail),
  ];
}

function equalLinesAtStart(a: readonly Line[], b: readonly Line[]): number {
  const end = a.findIndex(({ text }, index) => text !== b[index]?.text);
  return end === -1 ? a.length : end;
}
