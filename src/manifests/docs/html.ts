import type { Block, Document, Inline } from './document.js';

/** A document as a page without scripts and without files of its own. */
export function toHtml({ title, blocks }: Document): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${blocks.map(blockText).join('\n')}
</body>
</html>
`;
}

const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border: 1px solid color-mix(in srgb, currentColor 30%, transparent); padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; }
code, pre { font: 0.875em/1.5 ui-monospace, monospace; }
pre { overflow: auto; padding: 0.6rem; border: 1px solid color-mix(in srgb, currentColor 30%, transparent); }
`;

function blockText(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `<h${block.level} id="${escaped(block.id)}">${escaped(block.text)}</h${block.level}>`;
    case 'paragraph':
      return `<p>${inlineText(block.inlines)}</p>`;
    case 'list':
      return `<ul>\n${block.items.map((item) => `<li>${inlineText(item)}</li>\n`).join('')}</ul>`;
    case 'table': {
      const head = block.head.map((cell) => `<th>${escaped(cell)}</th>`).join('');
      const row = (cells: readonly (readonly Inline[])[]): string =>
        `<tr>${cells.map((cell) => `<td>${inlineText(cell)}</td>`).join('')}</tr>\n`;
      return `<table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${block.rows.map(row).join('')}</tbody>\n</table>`;
    }
    case 'code':
      return `<pre><code>${escaped(block.text)}</code></pre>`;
  }
}

function inlineText(inlines: readonly Inline[]): string {
  return inlines
    .map((inline) => {
      if (typeof inline === 'string') return escaped(inline);
      if ('isBreak' in inline) return '<br>';
      if ('code' in inline) return `<code>${escaped(inline.code)}</code>`;
      return `<a href="${escaped(inline.to)}">${escaped(inline.text)}</a>`;
    })
    .join('');
}

const ENTITIES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]);

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES.get(character) ?? '');
}
