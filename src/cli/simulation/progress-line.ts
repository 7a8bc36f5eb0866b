import type { Clock } from '../../base/clock.js';
import type { Progress } from '../../simulation/explore/explore.js';

const FIRST_MS = 2000;
const EACH_MS = 200;
const ERASE = '\r\x1b[2K';

/** One line on a terminal that shows how far a search is. It appears after two seconds. */
export class ProgressLine {
  private readonly startMs: number;
  private nextMs: number;
  private isShown = false;

  constructor(
    private readonly name: string,
    private readonly terminal: NodeJS.WritableStream & { readonly isTTY?: boolean },
    private readonly clock: Clock,
  ) {
    this.startMs = clock.monotonic();
    this.nextMs = this.startMs + FIRST_MS;
  }

  show({ schedules, problems, virtualMs }: Progress): void {
    const now = this.clock.monotonic();
    if (this.terminal.isTTY !== true || now < this.nextMs) return;
    this.nextMs = now + EACH_MS;
    const seconds = (now - this.startMs) / 1000;
    const parts = [
      `${schedules.toLocaleString('en')} schedules`,
      `${(schedules / seconds).toFixed(0)}/s`,
      `${(virtualMs / 3_600_000 / seconds).toFixed(1)} h of its life a second`,
      `${String(problems)} problems`,
    ];
    this.terminal.write(`${ERASE}${this.name}  ${parts.join('  ')}`);
    this.isShown = true;
  }

  /** Removes the line. */
  clear(): void {
    if (this.isShown) this.terminal.write(ERASE);
    this.isShown = false;
  }
}
