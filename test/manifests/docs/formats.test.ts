import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parsers } from 'prettier/plugins/markdown';
import { inlinesOf, LINE_BREAK, type Block, type Inline } from '../../../src/manifests/docs/document.js';
import { toHtml } from '../../../src/manifests/docs/html.js';
import { toMarkdown } from '../../../src/manifests/docs/markdown.js';

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly url?: string;
  readonly children?: readonly Node[];
}

/** The tree of a text, by a parser of GitHub Flavored Markdown. */
const parse = (text: string) => parsers.markdown.parse(text, {} as never) as Promise<Node> | Node;
const decoded = (text: string): string =>
  text
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

/** The text of a node as a reader sees it; a node of HTML other than a line break or `code` is shown as it is. */
function shown({ type, value = '', children = [] }: Node): string {
  if (type === 'html') return value === '<br>' ? '\n' : /^<\/?code>$/.test(value) ? '' : value;
  return value + children.map(shown).join('');
}

const spaces = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
const characters = fc.constantFrom(
  ...Array.from('|\\`*_{}[]<>()#+-.!&~$:=@"\'/ \n\tab1'),
  '- ',
  '1. ',
  '```',
  '<!--',
  '-->',
  '](',
  '\\|',
);
const odd = fc.string({ unit: characters, maxLength: 30 }).filter((text) => /[^\s\\]/.test(text));
const code = odd.map((text) => text.replaceAll(/\s+/g, ' ').trim()).filter((text) => text !== '');
const inline: fc.Arbitrary<Inline> = fc.oneof(
  odd,
  code.map((text) => ({ code: text })),
);
const textOf = (inlines: readonly Inline[]): string =>
  spaces(inlines.map((each) => (typeof each === 'string' ? each : 'code' in each ? each.code : '')).join(''));
const leaves = (node: Node): Node[] => [node, ...(node.children ?? []).flatMap(leaves)];
const markdown = (...blocks: Block[]) => parse(toMarkdown({ title: 'title', blocks }));
const TEXT = new Set(['sentence', 'word', 'whitespace', 'text', 'inlineCode', 'html', 'root', 'paragraph']);

describe('Markdown', () => {
  test('a paragraph of any texts and code is one paragraph that shows them', async () => {
    await fc.assert(
      fc.asyncProperty(inline, async (part) => {
        const root = await markdown({ kind: 'paragraph', inlines: [part] });
        expect(root.children?.map(({ type }) => type)).toEqual(['paragraph']);
        expect(spaces(shown(root))).toBe(textOf([part]));
        expect(leaves(root).filter(({ type }) => !TEXT.has(type))).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  test('a table keeps its cells, whatever they contain', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(inline, inline), { minLength: 1, maxLength: 4 }), async (rows) => {
        const cells = rows.map(([left, right]) => [[left], ['before', LINE_BREAK, right]]);
        const root = await markdown({ kind: 'table', head: ['A', 'B'], rows: cells });
        const [table, ...others] = root.children ?? [];
        expect([table?.type, others]).toEqual(['table', []]);
        const texts = table?.children?.slice(1).map((row) => row.children?.map((cell) => spaces(shown(cell))));
        expect(texts).toEqual(rows.map(([left, right]) => [textOf([left]), spaces(`before ${textOf([right])}`)]));
      }),
      { numRuns: 1000 },
    );
  });

  test('code is not closed by fences in it', async () => {
    await fc.assert(
      fc.asyncProperty(odd, async (text) => {
        const [node, ...others] = (await markdown({ kind: 'code', language: 'yaml', text })).children ?? [];
        expect([node?.type, others]).toEqual(['code', []]);
        expect(node?.value?.trimEnd()).toBe(text.trimEnd());
      }),
    );
  });
});

test('HTML contains only its own elements, and shows any text', () => {
  fc.assert(
    fc.property(inline, (part) => {
      const page = toHtml({ title: textOf([part]), blocks: [{ kind: 'paragraph', inlines: [part] }] });
      const [, paragraph = ''] = /<p>(.*)<\/p>/s.exec(page) ?? [];
      expect(spaces(decoded(paragraph.replaceAll(/<\/?code>/g, '')))).toBe(textOf([part]));
      expect([...page.matchAll(/<(\/?[a-z]\w*)/g)].map(([, name]) => name)).not.toContain('script');
    }),
  );
});

test('backticks of a comment mark code; a single one does not', () => {
  expect(inlinesOf('set `a` or `b')).toEqual(['set ', { code: 'a' }, ' or `b']);
});
