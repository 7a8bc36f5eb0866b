import { expect, test } from '@jest/globals';
import { Pod } from '../../../src/api/kinds/kinds.js';
import { formatSelector, type LabelSelector } from '../../../src/api/selection/label-selector.js';
import type { InformerFactory } from '../../../src/cache/informer-factory.js';
import type { Client } from '../../../src/client/client.js';
import { ForbiddenError } from '../../../src/client/api-error.js';
import { CustomResource } from '../../../src/resource/custom-resource.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { Owns } from '../../../src/resource/decorators/owns.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import { CachedReader } from '../../../src/manager/webhooks/cached-reader.js';

@Kind({ group: 'test.kindwright.dev', version: 'v1' })
@Owns(Pod)
class PodReader extends CustomResource {
  reconcile(): void {
    return undefined;
  }
}

test('a list of a kind that is not cached requires both the labels and the selector', async () => {
  const selectors: string[] = [];
  const list = (_kind: unknown, { labelSelector }: { readonly labelSelector: LabelSelector }) => {
    selectors.push(formatSelector(labelSelector));
    return Promise.resolve({ items: [] });
  };
  const reader = new CachedReader([], {} as InformerFactory, { list } as unknown as Client);
  const { signal } = new AbortController();
  await reader.list(Pod, { labels: { app: 'a' }, labelSelector: { matchLabels: { app: 'b', tier: 'web' } } }, signal);
  await reader.list(Pod, { labels: { app: 'a' } }, signal);
  expect(selectors).toEqual(['app=b,tier=web,app in (a)', 'app=a']);
});

test('a list of namespaces that cannot all be cached is requested from the server, which refuses it immediately', async () => {
  const forbidden = new ForbiddenError('forbidden', {
    status: 403,
    reason: 'Forbidden',
    request: { method: 'GET', path: '/' },
  });
  const [model] = buildResourceModels([PodReader]);
  const informers = [
    { namespace: 'team', hasSynced: true },
    { namespace: 'absent', hasSynced: false, lastError: forbidden },
  ];
  const factory = { informersFor: () => informers } as unknown as InformerFactory;
  const client = { list: () => Promise.reject(forbidden) } as unknown as Client;
  const reader = new CachedReader(model ? [model] : [], factory, client);
  await expect(reader.list(Pod, {}, new AbortController().signal)).rejects.toBe(forbidden);
});
