import xterm from '@xterm/headless';

/** Bytes that a program wrote to its terminal, `atMs` after its start. */
export interface Output {
  readonly atMs: number;
  readonly text: string;
}

export interface TerminalSvgOptions {
  readonly columns: number;
  readonly rows: number;
  /** Frames that follow within this time are merged. */
  readonly frameMs: number;
  /** Time the last frame stays before the animation starts again. */
  readonly holdMs: number;
}

interface Cell {
  readonly text: string;
  readonly style: string;
}

interface Frame {
  readonly atMs: number;
  readonly rows: readonly string[];
}

const CELL_WIDTH = 8.4;
const LINE_HEIGHT = 18;
const PADDING = 14;

/** An animated SVG of the output of a terminal of the given size, played in a loop. Identical rows are drawn once. */
export async function terminalSvg(output: readonly Output[], options: TerminalSvgOptions): Promise<string> {
  const frames = await framesOf(output, options);
  const width = Math.ceil(options.columns * CELL_WIDTH) + 2 * PADDING;
  const height = options.rows * LINE_HEIGHT + 2 * PADDING;
  const totalMs = (frames.at(-1)?.atMs ?? 0) + options.holdMs;
  const spans = rowSpans(frames, totalMs);
  const animations = new Map<string, string>();
  const texts = spans.map(({ row, content, fromMs, toMs }) => {
    const from = percent(fromMs, totalMs);
    const to = percent(toMs, totalMs);
    const name = `f${from}-${to}`.replaceAll('.', '_');
    animations.set(name, keyframes(name, from, to));
    const y = PADDING + (row + 1) * LINE_HEIGHT - 5;
    return `<text class="${name}" y="${y}">${content}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="A terminal that runs npm start">
<style>
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#d6deeb;white-space:pre;visibility:hidden;animation-duration:${totalMs}ms;animation-iteration-count:infinite;animation-timing-function:step-end}
.b{font-weight:bold}.c1{fill:#ff6b68}.c2{fill:#7fd88f}.c3{fill:#f2c97d}.c4{fill:#82aaff}.c5{fill:#c792ea}.c6{fill:#7fdbca}.c8{fill:#8b949e}
${[...animations.values()].join('\n')}
</style>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
${texts.join('\n')}
</svg>
`;
}

async function framesOf(output: readonly Output[], { columns, rows, frameMs }: TerminalSvgOptions): Promise<Frame[]> {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, convertEol: true });
  const frames: Frame[] = [{ atMs: 0, rows: [] }];
  for (const [index, { atMs, text }] of output.entries()) {
    await new Promise<void>((resolve) => {
      terminal.write(text, resolve);
    });
    const next = output[index + 1];
    if (next === undefined || next.atMs - (frames.at(-1)?.atMs ?? 0) > frameMs)
      frames.push({ atMs, rows: drawnRows(terminal, rows) });
  }
  terminal.dispose();
  return frames;
}

function drawnRows(terminal: xterm.Terminal, rows: number): string[] {
  const { active } = terminal.buffer;
  return Array.from({ length: rows }, (_, row) => {
    const line = active.getLine(active.viewportY + row);
    const cells: Cell[] = [];
    for (let column = 0; line && column < line.length; column++) {
      const cell = line.getCell(column);
      if (!cell || cell.getWidth() === 0) continue;
      const color = cell.isFgDefault() ? '' : `c${cell.getFgColor() % 16}`;
      cells.push({ text: cell.getChars() || ' ', style: [cell.isBold() ? 'b' : '', color].join(' ').trim() });
    }
    return runsOf(cells);
  });
}

/** The cells of a row as SVG, those of one style together, without trailing blanks. */
function runsOf(cells: readonly Cell[]): string {
  const end = cells.findLastIndex(({ text }) => text !== ' ') + 1;
  let result = '';
  for (let start = 0; start < end;) {
    const { style } = cells[start] ?? { style: '' };
    let stop = start;
    while (stop < end && cells[stop]?.style === style) stop++;
    const text = escaped(
      cells
        .slice(start, stop)
        .map((cell) => cell.text)
        .join(''),
    );
    const x = (PADDING + start * CELL_WIDTH).toFixed(1);
    const length = ((stop - start) * CELL_WIDTH).toFixed(1);
    const styled = style === '' ? '' : ` class="${style}"`;
    result += `<tspan${styled} x="${x}" textLength="${length}" xml:space="preserve">${text}</tspan>`;
    start = stop;
  }
  return result;
}

interface RowSpan {
  readonly row: number;
  readonly content: string;
  readonly fromMs: number;
  readonly toMs: number;
}

function rowSpans(frames: readonly Frame[], totalMs: number): RowSpan[] {
  const spans: RowSpan[] = [];
  const shown = new Map<number, { content: string; fromMs: number }>();
  const close = (row: number, toMs: number): void => {
    const span = shown.get(row);
    if (span && span.content !== '') spans.push({ row, toMs, ...span });
    shown.delete(row);
  };
  for (const { atMs, rows } of frames)
    for (const [row, content] of rows.entries()) {
      if (shown.get(row)?.content === content) continue;
      close(row, atMs);
      shown.set(row, { content, fromMs: atMs });
    }
  for (const row of [...shown.keys()]) close(row, totalMs);
  return spans;
}

function percent(ms: number, totalMs: number): string {
  return ((ms / totalMs) * 100).toFixed(2);
}

function keyframes(name: string, from: string, to: string): string {
  const before = Number(from) === 0 ? '' : '0%{visibility:hidden}';
  const after = Number(to) === 100 ? '' : `${to}%,100%{visibility:hidden}`;
  return `.${name}{animation-name:${name}}@keyframes ${name}{${before}${from}%{visibility:visible}${after || '100%{visibility:visible}'}}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
