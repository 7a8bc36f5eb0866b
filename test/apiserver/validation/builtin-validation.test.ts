import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestServer, text } from '../api-client.js';
import { REFUSED_OBJECTS } from './refused-objects.js';

let api: TestServer;

beforeAll(async () => {
  api = await TestServer.start();
});
afterAll(() => api.stop());

describe('a new object of a built-in kind', () => {
  test.each(REFUSED_OBJECTS)('is refused as on the real server when it is %s', async (_title, path, object, why) => {
    const { code, body } = await api.send('POST', path, { ...object, metadata: { name: 'x' } });
    expect([code, text(body.message).replace(/^.*? is invalid: /, '')]).toEqual([422, why]);
  });
});
