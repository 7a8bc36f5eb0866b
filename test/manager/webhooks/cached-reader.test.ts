import { expect, test } from '@jest/globals';
import { Pod } from '../../../src/api/kinds.js';
import { formatSelector, type LabelSelector } from '../../../src/api/label-selector.js';
import type { InformerFactory } from '../../../src/cache/informer-factory.js';
import type { Client } from '../../../src/client/client.js';
import { CachedReader } from '../../../src/manager/webhooks/cached-reader.js';

test('a list of a kind that is not cached requires both the labels and the selector', async () => {
  const selectors: string[] = [];
  const list = (_kind: unknown, { labelSelector }: { readonly labelSelector: LabelSelector }) => {
    selectors.push(formatSelector(labelSelector));
    return Promise.resolve({ items: [] });
  };
  const reader = new CachedReader([], {} as InformerFactory, { list } as unknown as Client);
  const { signal } = new AbortController();
  await reader.list(Pod, { labels: { app: 'a' }, selector: { matchLabels: { app: 'b', tier: 'web' } } }, signal);
  await reader.list(Pod, { labels: { app: 'a' } }, signal);
  expect(selectors).toEqual(['app=b,tier=web,app in (a)', 'app=a']);
});
