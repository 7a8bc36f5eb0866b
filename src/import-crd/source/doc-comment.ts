import { LINE_WIDTH } from './literal.js';

/** What the reader of doc comments drops, reads as the end or puts something else in the place of. */
const LOST = /\*\/|\r|\{@link|^(?:@\w|TODO|---)/m;

/** A text as a doc comment; undefined where a comment cannot carry it to the letter. */
export function docComment(text: string, indent: number): string | undefined {
  const lines = text.split('\n');
  const isKept = text.trim() === text && lines.every((line) => line.trim() === line);
  if (text === '' || !isKept || LOST.test(text)) return undefined;
  const margin = ' '.repeat(indent);
  const line = `${margin}/** ${text} */\n`;
  // A star at the start of it would be taken for the comment's own.
  if (lines.length === 1 && line.length <= LINE_WIDTH + 1 && !text.startsWith('*')) return line;
  const body = lines.map((each) => `${margin} *${each === '' ? '' : ` ${each}`}\n`);
  return `${margin}/**\n${body.join('')}${margin} */\n`;
}
