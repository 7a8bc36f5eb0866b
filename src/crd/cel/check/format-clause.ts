import type { Kind } from './cel-type.js';

/** A clause of a format string: the accepted kinds of values, and the error for other kinds. */
interface FormatClause {
  readonly accepts: readonly Kind[];
  readonly demand: string;
}

const HEX: FormatClause = {
  accepts: ['int', 'uint', 'string', 'bytes'],
  demand: 'only integers, byte buffers, and strings can be formatted as hex',
};

/** The formatting clauses by letter: ext/formatting.go of cel-go. */
export const FORMAT_CLAUSES: Readonly<Record<string, FormatClause>> = {
  b: { accepts: ['int', 'uint', 'bool'], demand: 'only integers and bools can be formatted as binary' },
  d: { accepts: ['int', 'uint'], demand: 'decimal clause can only be used on integers' },
  e: { accepts: ['double', 'string'], demand: 'scientific clause can only be used on doubles' },
  f: { accepts: ['double', 'string'], demand: 'fixed-point clause can only be used on doubles' },
  o: { accepts: ['int', 'uint'], demand: 'octal clause can only be used on integers' },
  s: {
    accepts: 'list map bool bytes double duration int null string timestamp type uint'.split(' ') as Kind[],
    demand:
      'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  },
  x: HEX,
  X: HEX,
};
