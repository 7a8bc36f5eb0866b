import { renderMermaidSVG } from 'beautiful-mermaid';
import type { MarkdownRenderer } from 'vitepress';

/** Makes `mermaid` blocks pictures when the site is built: browsers load no script for them. */
export function renderMermaid(markdown: MarkdownRenderer): void {
  const { fence } = markdown.renderer.rules;
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const { info = '', content = '' } = tokens[index] ?? {};
    if (info.trim() !== 'mermaid') return fence?.(tokens, index, ...rest) ?? '';
    const { title, svg } = diagramOf(content);
    const escape = markdown.utils.escapeHtml;
    // Templates of Vue must not contain the style element of the picture.
    return `<div class="diagram" role="img" aria-label="${escape(title)}" v-html="${escape(JSON.stringify(svg))}"></div>`;
  };
}

/** Renders a diagram in the colors of the page. Its line `accTitle: …` is the text for screen readers. */
export function diagramOf(source: string): { title: string; svg: string } {
  const [line = '', title] = /^ *accTitle: (.*)\n/m.exec(source) ?? [];
  if (title === undefined) throw new Error(`a diagram has no line "accTitle: …":\n${source}`);
  const colors = { bg: 'var(--vp-c-bg)', fg: 'var(--vp-c-text-1)', muted: 'var(--vp-c-text-2)', transparent: true };
  const svg = renderMermaidSVG(source.replace(line, ''), colors);
  // Nothing is loaded from other servers, and there is one font.
  return { title, svg: svg.replace(/^ *@import .*\n/m, '').replace("'Inter', ", '') };
}
