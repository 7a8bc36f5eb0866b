import { goTimeQuoted } from '../../base/go-quoted.js';
import { TypeMismatch } from './decode-report.js';

/** The layouts of metav1.Time and of metav1.MicroTime. */
export const LAYOUT = '2006-01-02T15:04:05Z07:00';
export const MICRO_LAYOUT = '2006-01-02T15:04:05.000000Z07:00';

/** A parsed instant. */
export interface GoTime {
  readonly ms: number;
  /** The fraction of the second, six digits. */
  readonly micros: string;
}

/**
 * Parses a time like Go's time.Parse.
 * @throws TypeMismatch with Go's message
 */
export function parseGoTime(text: string, layout: string): GoTime {
  return new TimeReader(text, layout).read();
}

class TimeReader {
  private rest: string;

  constructor(
    private readonly text: string,
    private readonly layout: string,
  ) {
    this.rest = text;
  }

  read(): GoTime {
    const year = Number(this.take(/^\d{4}/, '2006'));
    this.skip('-');
    const month = this.number('01', 'month', 1, 12);
    this.skip('-');
    const day = Number(this.take(/^\d\d/, '02'));
    this.skip('T');
    const hour = this.number('15', 'hour', 0, 23);
    this.skip(':');
    const minute = this.number('04', 'minute', 0, 59);
    this.skip(':');
    const second = this.number('05', 'second', 0, 59);
    const micros = this.fraction();
    const offset = this.zone();
    if (this.rest !== '') throw this.failed(`: extra text: ${goTimeQuoted(this.rest)}`);
    const date = new Date(0);
    date.setUTCFullYear(year, month - 1, day);
    if (date.getUTCDate() !== day) throw this.failed(': day out of range');
    return { ms: date.getTime() + ((hour * 60 + minute - offset) * 60 + second) * 1000, micros };
  }

  /** Reads a fraction of a second; allowed after the second even if the layout has none. */
  private fraction(): string {
    if (this.layout === MICRO_LAYOUT) return this.take(/^[.,]\d{6}/, '.000000').slice(1);
    const [found = ''] = /^[.,]\d+/.exec(this.rest) ?? [];
    this.rest = this.rest.slice(found.length);
    return found.slice(1, 7).padEnd(6, '0');
  }

  /** Reads the offset from UTC in minutes. */
  private zone(): number {
    if (this.rest.startsWith('Z')) {
      this.rest = this.rest.slice(1);
      return 0;
    }
    const zone = this.take(/^[+-]\d\d:\d\d/, 'Z07:00');
    const [hours = 0, minutes = 0] = zone.slice(1).split(':').map(Number);
    if (hours > 24) throw this.failed(': time zone offset hour out of range');
    if (minutes > 60) throw this.failed(': time zone offset minute out of range');
    return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
  }

  private number(element: string, name: string, low: number, high: number): number {
    // Hours may have one digit.
    const value = Number(this.take(element === '15' ? /^\d\d?/ : /^\d\d/, element));
    if (value < low || value > high) throw this.failed(`: ${name} out of range`);
    return value;
  }

  private skip(literal: string): void {
    if (!this.rest.startsWith(literal)) throw this.unreadable(literal);
    this.rest = this.rest.slice(literal.length);
  }

  private take(form: RegExp, element: string): string {
    const [found] = form.exec(this.rest) ?? [];
    if (found === undefined) throw this.unreadable(element);
    this.rest = this.rest.slice(found.length);
    return found;
  }

  private unreadable(element: string): TypeMismatch {
    const [rest, part] = [goTimeQuoted(this.rest), goTimeQuoted(element)];
    return this.failed(` as ${goTimeQuoted(this.layout)}: cannot parse ${rest} as ${part}`);
  }

  private failed(why: string): TypeMismatch {
    return new TypeMismatch(`parsing time ${goTimeQuoted(this.text)}${why}`);
  }
}
