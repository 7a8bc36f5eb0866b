import { LINE_WIDTH } from './literal.js';

/** Text that the parser of doc comments drops, replaces or reads as the end. */
const LOST = /\*\/|\r|\{@link|^(?:@\w|TODO|---)/m;

/** Returns a text as a doc comment; undefined when a comment cannot represent it exactly. */
export function docComment(text: string, indent: number): string | undefined {
  const lines = text.split('\n');
  const isKept = text.trim() === text && lines.every((line) => line.trim() === line);
  if (text === '' || !isKept || LOST.test(text)) return undefined;
  const margin = ' '.repeat(indent);
  const line = `${margin}/** ${text} */\n`;
  // A leading asterisk would be read as part of the comment.
  if (lines.length === 1 && line.length <= LINE_WIDTH + 1 && !text.startsWith('*')) return line;
  const body = lines.map((each) => `${margin} *${each === '' ? '' : ` ${each}`}\n`);
  return `${margin}/**\n${body.join('')}${margin} */\n`;
}
