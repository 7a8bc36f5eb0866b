import type { Clock } from '../../base/clock.js';
import type { LogFields, Logger } from '../../base/logger.js';
import type { LineLevel } from '../wire.js';

/** A line of the log as it was logged. */
export interface RingRecord {
  readonly seq: number;
  readonly at: number;
  readonly level: LineLevel;
  readonly message: string;
  readonly fields: LogFields;
}

const LINE_BYTES = 200;
const FIELD_BYTES = 40;

/** The last lines of the log, within a budget of bytes. Lines of level debug have a quarter of it for themselves. */
export class LogRing {
  private readonly lines: RingRecord[] = [];
  private readonly debugLines: RingRecord[] = [];
  private bytes = 0;
  private debugBytes = 0;
  private seq = 0;
  private droppedCount = 0;
  private readonly listeners = new Set<(line: RingRecord) => void>();

  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    private readonly maxBytes = 1_000_000,
  ) {}

  /** The sequence number of the last line. */
  get last(): number {
    return this.seq;
  }

  /** Lines that are no longer kept. */
  get dropped(): number {
    return this.droppedCount;
  }

  get size(): number {
    return this.bytes + this.debugBytes;
  }

  add(level: LineLevel, message: string, fields: LogFields): void {
    const line: RingRecord = { seq: ++this.seq, at: this.clock.now(), level, message, fields };
    if (level === 'debug') {
      this.debugLines.push(line);
      this.debugBytes += bytesOf(line);
      while (this.debugBytes > this.maxBytes / 4) this.debugBytes -= this.shift(this.debugLines);
    } else {
      this.lines.push(line);
      this.bytes += bytesOf(line);
      while (this.bytes > (this.maxBytes * 3) / 4) this.bytes -= this.shift(this.lines);
    }
    for (const listener of this.listeners) listener(line);
  }

  /** The lines after a sequence number, the oldest first. */
  after(seq: number): RingRecord[] {
    const newer = [...this.lines, ...this.debugLines].filter((line) => line.seq > seq);
    return newer.sort((a, b) => a.seq - b.seq);
  }

  onLine(listener: (line: RingRecord) => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  private shift(lines: RingRecord[]): number {
    const oldest = lines.shift();
    if (!oldest) return Infinity;
    this.droppedCount += 1;
    return bytesOf(oldest);
  }
}

/** Returns a logger that also adds its lines to a ring. */
export function ringLogger(logger: Logger, ring: LogRing, fields: LogFields = {}): Logger {
  const write =
    (level: LineLevel) =>
    (message: string, more?: LogFields): void => {
      ring.add(level, message, more ? { ...fields, ...more } : fields);
      logger[level](message, more);
    };
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: (more) => ringLogger(logger.child(more), ring, { ...fields, ...more }),
  };
}

/** Objects in fields are not looked into: they are rare, and printed only when the line is read. */
function bytesOf({ message, fields }: RingRecord): number {
  let sum = LINE_BYTES + 2 * message.length;
  for (const value of Object.values(fields))
    sum += FIELD_BYTES + (typeof value === 'string' ? value.length : value instanceof Error ? 1000 : 0);
  return sum;
}
