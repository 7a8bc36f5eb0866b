import type { Block, Document, Inline } from './document.js';

/** A document as GitHub Flavored Markdown. */
export function toMarkdown({ blocks }: Document): string {
  return blocks.map(blockText).join('\n');
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `<a id="${block.id}"></a>\n\n${'#'.repeat(block.level)} ${escaped(block.text)}\n`;
    case 'paragraph':
      return `${inlineText(block.inlines)}\n`;
    case 'list':
      return block.items.map((item) => `- ${inlineText(item)}\n`).join('');
    case 'table':
      return tableText(block.head, block.rows);
    case 'code':
      return fenced(block.language, block.text);
  }
}

function tableText(head: readonly string[], rows: readonly (readonly (readonly Inline[])[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  const body = rows.map((cells) => line(cells.map(inlineText)));
  return line(head.map(escaped)) + line(head.map(() => '---')) + body.join('');
}

/** In a fence that is longer than each line of backticks in the text. */
function fenced(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}\n`;
}

function inlineText(inlines: readonly Inline[]): string {
  return inlines
    .map((inline) => {
      if (typeof inline === 'string') return escaped(inline);
      if ('isBreak' in inline) return '<br>';
      return 'code' in inline ? codeText(inline.code) : `[${escaped(inline.text)}](${encodeUrl(inline.to)})`;
    })
    .join('');
}

/** Text with backticks around it, where Markdown then shows it as it is; otherwise HTML. */
function codeText(code: string): string {
  return /^[^`|\s\\](?:[^`|\r\n]*[^`|\s\\])?$/.test(code) ? `\`${code}\`` : `<code>${entities(code)}</code>`;
}

/** One line of text; in Markdown no part of it has a meaning. */
function escaped(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[&<>|\\`*_{}[\]~#!$]/g, (character) => MEANINGFUL.get(character) ?? `\\${character}`)
    .replace(/^( ?)([-+=])|^( ?\d+)([.)])/, '$1$3\\$2$4') // would start a list or a heading
    .replaceAll(/(?<=https?|ftp):(?=\/\/)|(?<=www)\.|@/g, (character) => entities(character));
}

const MEANINGFUL = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['|', '&#124;'],
]);

function entities(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9 ]/gu, (character) => `&#${character.codePointAt(0) ?? 0};`);
}

function encodeUrl(url: string): string {
  return url.replaceAll(/[^\w#:/?&=.%~+,;-]/gu, encodeURIComponent);
}
