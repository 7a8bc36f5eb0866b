import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CONFIG_MAPS, configMap, text, TestServer, type Json } from './api-client.js';

let api: TestServer;

beforeAll(async () => {
  api = await TestServer.start();
});
afterAll(() => api.stop());

const kinds = (events: readonly Json[]): string[] =>
  events.map(({ type, object }) => `${text(type)} ${text(object!.metadata!.name)}`);
const revision = async (): Promise<string> => text((await api.send('GET', CONFIG_MAPS)).body.metadata!.resourceVersion);

test('a watch resumes after the given resourceVersion', async () => {
  const since = await revision();
  await api.send('POST', CONFIG_MAPS, configMap('w'));
  await api.patch(`${CONFIG_MAPS}/w`, 'merge', { data: { a: '1' } });
  await api.send('DELETE', `${CONFIG_MAPS}/w`);
  const events = await api.watch(`${CONFIG_MAPS}?watch=1&resourceVersion=${since}`, 3);
  expect(kinds(events)).toEqual(['ADDED w', 'MODIFIED w', 'DELETED w']);
});

test('an object that leaves the selector is reported as deleted, and one that enters as added', async () => {
  const since = await revision();
  await api.send('POST', CONFIG_MAPS, configMap('s', {}, { labels: { on: 'yes' } }));
  await api.patch(`${CONFIG_MAPS}/s`, 'merge', { metadata: { labels: { on: 'no' } } });
  await api.patch(`${CONFIG_MAPS}/s`, 'merge', { metadata: { labels: { on: 'yes' } } });
  const events = await api.watch(`${CONFIG_MAPS}?watch=1&labelSelector=on%3Dyes&resourceVersion=${since}`, 3);
  expect(kinds(events)).toEqual(['ADDED s', 'DELETED s', 'ADDED s']);
});

test('initial events end with an annotated bookmark', async () => {
  const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
  const events = await api.watch(`/api/v1/namespaces?${query}`, 5);
  expect(events.at(-1)!.object!.metadata!.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' });
});

test('a watch that asks for bookmarks gets one before its time is up', async () => {
  const [event] = await api.watch(
    `${CONFIG_MAPS}?watch=1&allowWatchBookmarks=true&timeoutSeconds=1&resourceVersion=${await revision()}`,
    1,
  );
  expect(event!.type).toBe('BOOKMARK');
});

test('a watch from a compacted resourceVersion gets a 410 in the stream', async () => {
  const since = await revision();
  await api.send('POST', CONFIG_MAPS, configMap('old'));
  api.server.compact();
  const [event] = await api.watch(`${CONFIG_MAPS}?watch=1&resourceVersion=${since}`, 1);
  expect([event!.type, event!.object!.code]).toEqual(['ERROR', 410]);
});

test('a watch without a version begins with existing objects, and marks their end with a bookmark on request', async () => {
  const events = await api.watch('/api/v1/namespaces?watch=1&allowWatchBookmarks=true', 5);
  expect(kinds(events.slice(0, 4))).toContain('ADDED default');
  expect(events.at(-1)!.object!.metadata!.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' });
});

test('a watch without bookmarks gets no bookmark after its initial events', async () => {
  const query =
    'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&fieldSelector=metadata.name%3Dinitial';
  await api.send('POST', CONFIG_MAPS, configMap('initial'));
  const watching = api.watch(`${CONFIG_MAPS}?${query}`, 2);
  await api.until(`${CONFIG_MAPS}/initial`, ({ code }) => code === 200);
  await api.send('DELETE', `${CONFIG_MAPS}/initial`);
  expect(kinds(await watching)).toEqual(['ADDED initial', 'DELETED initial']);
});

test('a watch without initial events and version begins with the next change', async () => {
  const query = 'watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&timeoutSeconds=0';
  await api.send('POST', CONFIG_MAPS, configMap('before'));
  const watching = api.watch(`${CONFIG_MAPS}?${query}`, 1);
  // The first event is a change that follows the start of the watch.
  const changing = setInterval(
    () => void api.patch(`${CONFIG_MAPS}/before`, 'merge', { data: { at: `${Math.random()}` } }),
    20,
  );
  expect(kinds(await watching)).toEqual(['MODIFIED before']);
  clearInterval(changing);
});

test('a watch cannot start from a continue token', async () => {
  expect((await api.send('GET', `${CONFIG_MAPS}?watch=1&continue=x`)).code).toBe(422);
});

test('a page of a selection has a continue token as long as any objects follow', async () => {
  for (const name of ['p1', 'p2', 'p3'])
    await api.send('POST', CONFIG_MAPS, configMap(name, {}, { labels: { page: name } }));
  const { body } = await api.send('GET', `${CONFIG_MAPS}?limit=2&labelSelector=page+in+(p1,p2)`);
  expect(body.metadata!.remainingItemCount).toBeUndefined();
  const next = `continue=${text(body.metadata!.continue)}`;
  expect((await api.send('GET', `${CONFIG_MAPS}?limit=2&labelSelector=page+in+(p1,p2)&${next}`)).body.items).toEqual(
    [],
  );
  expect((await api.send('GET', `${CONFIG_MAPS}?${next}&resourceVersion=1`)).code).toBe(400);
});
