import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ExportedItem, exportedItems } from './exported-api.js';
import type { SidebarGroup } from './sidebar.js';

/** The pages of the reference, and the files whose exports they contain; the first one that matches counts. */
const PAGES: readonly (readonly [page: string, title: string, files: RegExp])[] = [
  ['testing', 'Testing', /^src\/testing\//],
  ['decorators', 'Decorators', /^src\/resource\/decorators\//],
  ['kinds', 'Kinds of Kubernetes', /^src\/api\/kinds\.ts$/],
  ['operators', 'Operator classes', /^src\/(?:resource|webhook|crd|validation)\//],
  ['errors', 'Errors', /error/],
  ['objects', 'Objects and conditions', /^src\/api\//],
  ['client', 'Client', /^src\/client\//],
  ['cache', 'Caches', /^src\/cache\//],
  ['manager', 'Manager', /^src\//],
];

/** A section of the docs, or an example, that imports an export. */
interface Usage {
  readonly title: string;
  readonly path: string;
  readonly code: string;
}

/** The sidebar of the reference. */
export const apiSidebar: SidebarGroup = {
  text: 'API',
  items: [
    { text: 'All exports', link: '/api/' },
    ...PAGES.map(([page, title]) => ({ text: title, link: `/api/${page}` })),
  ],
};

/** Writes the reference of the exports of the package to `api/` in the folder of the docs, which git ignores. */
export function writeApiReference(docs: string, items: readonly ExportedItem[] = exportedItems()): void {
  const usages = usagesIn(docs);
  const folder = join(docs, 'api');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  writeFileSync(join(folder, 'README.md'), indexOf(items));
  for (const [page, title] of PAGES) {
    const own = items.filter((item) => pageOf(item) === page).toSorted((a, b) => a.name.localeCompare(b.name));
    const sections = page === 'kinds' ? [kindTable(own)] : own.map((item) => sectionOf(item, items, usages));
    writeFileSync(join(folder, `${page}.md`), `# ${title}\n\n${sections.join('\n')}`);
  }
}

function pageOf({ file, module }: ExportedItem): string {
  if (module !== 'kindwright') return 'testing';
  return PAGES.find(([, , files]) => files.test(file))?.[0] ?? 'manager';
}

function linkTo(item: ExportedItem): string {
  const page = pageOf(item);
  return page === 'kinds' ? 'kinds.md' : `${page}.md#${item.name.toLowerCase()}`;
}

function indexOf(items: readonly ExportedItem[]): string {
  const rows = items
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .map((item) => `| [\`${item.name}\`](${linkTo(item)}) | \`${item.module}\` | ${firstSentence(item)} |`);
  return [
    '# API',
    '',
    'All exports of the package. `kindwright/definitions` exports the types of Kubernetes, such as `PodSpec`, for fields.',
    '',
    '| export | module | purpose |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

function firstSentence({ description }: ExportedItem): string {
  const [first = ''] = description.split(/\n\n|(?<=\.)\s/);
  return first.replaceAll('\n', ' ').replaceAll('|', '\\|');
}

function kindTable(kinds: readonly ExportedItem[]): string {
  const names = kinds.map(({ name }) => `\`${name}\``).join(', ');
  return `Each is a type, the object, and a value, which calls of the context and the client take:\n\n${names}\n`;
}

function sectionOf(item: ExportedItem, items: readonly ExportedItem[], usages: readonly Usage[]): string {
  const { name, module, description, code } = item;
  return [
    `## ${name}`,
    '',
    description,
    '',
    '```ts',
    `import { ${name} } from '${module}';`,
    '',
    code,
    '```',
    '',
    linksOf(item, items, usages),
    '',
  ].join('\n');
}

/** Links to examples, or to the exports that use this one. */
function linksOf({ name, code, file }: ExportedItem, items: readonly ExportedItem[], usages: readonly Usage[]): string {
  const isImported = new RegExp(`^import [^;]*\\b${name}\\b[^;]*from 'kindwright`, 'm');
  const examples = usages.filter((usage) => isImported.test(usage.code)).slice(0, 3);
  if (examples.length > 0) return `Examples: ${examples.map(({ title, path }) => `[${title}](../${path})`).join(', ')}`;
  const isNamed = new RegExp(`\\b${name}\\b`);
  const users = items.filter((item) => item.name !== name && isNamed.test(item.code)).slice(0, 5);
  if (users.length > 0) return `Used by: ${users.map((user) => `[\`${user.name}\`](${linkTo(user)})`).join(', ')}`;
  const isRelated = (item: ExportedItem): boolean => new RegExp(`\\b${item.name}\\b`).test(code);
  const pages = usages.filter((usage) => isNamed.test(usage.code)).slice(0, 3);
  const related = items.filter((item) => item.name !== name && (isRelated(item) || item.file === file)).slice(0, 5);
  const links = [
    ...pages.map(({ title, path }) => `[${title}](../${path})`),
    ...related.map((item) => `[\`${item.name}\`](${linkTo(item)})`),
  ];
  return links.length > 0 ? `See: ${links.join(', ')}` : '';
}

/** The examples, and the pages with their code. */
function usagesIn(docs: string): Usage[] {
  const paths = globSync(['examples/*.ts', '*.md', 'how-to/*.md', 'coming-from/*.md'], { cwd: docs }).toSorted();
  return paths.map((path) => {
    const text = readFileSync(join(docs, path), 'utf8');
    const title = path.endsWith('.ts') ? path.slice('examples/'.length) : (/^# (.*)$/m.exec(text)?.[1] ?? path);
    return { path, title, code: text };
  });
}
