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

test('a watch resumes after the resourceVersion it is given', async () => {
  const since = await revision();
  await api.send('POST', CONFIG_MAPS, configMap('w'));
  await api.patch(`${CONFIG_MAPS}/w`, 'merge', { data: { a: '1' } });
  await api.send('DELETE', `${CONFIG_MAPS}/w`);
  const events = await api.watch(`${CONFIG_MAPS}?watch=1&resourceVersion=${since}`, 3);
  expect(kinds(events)).toEqual(['ADDED w', 'MODIFIED w', 'DELETED w']);
});

test('an object that leaves the selector is deleted, and one that enters added', async () => {
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

test('a resourceVersion whose events are forgotten gets a 410 in the stream', async () => {
  const since = await revision();
  await api.send('POST', CONFIG_MAPS, configMap('old'));
  api.server.compact();
  const [event] = await api.watch(`${CONFIG_MAPS}?watch=1&resourceVersion=${since}`, 1);
  expect([event!.type, event!.object!.code]).toEqual(['ERROR', 410]);
});
