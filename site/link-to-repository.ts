import { join } from 'node:path/posix';
import type { MarkdownRenderer } from 'vitepress';

/** Makes links to files that are not pages, such as examples, lead to the repository, and those to a README.md to its folder. */
export function linkToRepository(markdown: MarkdownRenderer, files: string): void {
  markdown.core.ruler.push('link-to-repository', ({ tokens, env }) => {
    const { relativePath } = env as { readonly relativePath: string };
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const link = token.type === 'link_open' ? String(token.attrGet('href')) : '';
      if (/^(?:\w+:|#|\/|$)/.test(link)) continue;
      if (/\.md(?:#|$)/.test(link)) {
        // `rewrites` of VitePress concern pages, not the links to them.
        token.attrSet('href', link.replace(/(^|\/)README\.md(?=#|$)/, '$1index.md'));
        continue;
      }
      token.attrSet('href', `${files}/${join('docs', relativePath, '..', link)}`);
    }
  });
}
