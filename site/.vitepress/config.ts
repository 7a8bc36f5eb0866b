import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { anchorOf } from '../anchor-of.js';
import { apiSidebar, writeApiReference } from '../api-reference.js';
import { linkToRepository } from '../link-to-repository.js';
import { renderMermaid } from '../render-mermaid.js';
import { writeTexts } from '../site-texts.js';
import { versionLinks } from '../site-versions.js';
import { sidebar as pages } from '../sidebar.js';

const { version, description, repository } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { readonly version: string; readonly description: string; readonly repository: { readonly url: string } };
const github = repository.url.replace(/^git\+/, '').replace(/\.git$/, '');

const { SITE_URL: siteUrl, SITE_FOLDER = '', SITE_VERSIONS } = process.env;
const changelog = { text: 'Changes', link: `${github}/blob/main/CHANGELOG.md` };

const sidebar = [...pages, apiSidebar];

const SEARCH = 'Search (Ctrl K)';

writeApiReference(join(import.meta.dirname, '..', '..', 'docs'));

export default defineConfig({
  title: 'kindwright',
  description,
  lang: 'en',
  srcDir: '../docs',
  outDir: 'dist',
  cacheDir: '../node_modules/.cache/vitepress',
  // GitHub Pages serves the site of a repository in a folder, and each version is a folder of it.
  base: `${siteUrl ? new URL(siteUrl).pathname : '/'}${SITE_FOLDER}` as `/${string}/`,
  cleanUrls: true,
  // GitHub shows a README.md as the page of its folder.
  rewrites: { 'README.md': 'index.md', ':folder/README.md': ':folder/index.md' },
  vite: { build: { target: 'es2022' } },
  markdown: {
    html: false, // pages contain `<T>` as text
    anchor: { slugify: anchorOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: (markdown) => {
      linkToRepository(markdown, `${github}/blob/main`);
      renderMermaid(markdown);
    },
  },
  themeConfig: {
    outline: [2, 3],
    nav: [
      { text: 'Start', link: '/getting-started' },
      { text: 'Tutorial', link: '/tutorial/' },
      { text: 'How-to', link: '/how-to/' },
      { text: 'Reference', link: '/decorators' },
      { text: version, items: [...(siteUrl ? versionLinks(SITE_VERSIONS, siteUrl) : []), changelog] },
    ],
    sidebar,
    search: {
      provider: 'local',
      options: {
        detailedView: true,
        // The label contains the visible text, as WCAG requires.
        translations: { button: { buttonText: SEARCH, buttonAriaLabel: SEARCH } },
        miniSearch: {
          searchOptions: {
            boost: { title: 10, text: 2, titles: 2 },
            // Tables that name everything come after the pages that describe it.
            boostDocument: (section) => (/^\/(?:comparison|coming-from|api|decisions)\b/.test(section) ? 0.3 : 1),
          },
        },
        // Lists of links, which contain the words of the pages that answer.
        _render: (source, env, markdown) =>
          /(?:^|\/)(?:README|questions|examples)\.md$/.test(String(env.relativePath))
            ? ''
            : markdown.render(source, env),
      },
    },
    socialLinks: [{ icon: 'github', link: github }],
    editLink: {
      pattern: ({ filePath }) => `https://github.com/kindwright/kindwright/edit/main/docs/${filePath}`,
      text: 'Edit this page on GitHub',
    },
  },
  buildEnd: ({ outDir, srcDir }) => writeTexts({ outDir, srcDir, sidebar, description }),
});
