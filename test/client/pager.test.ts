import { describe, expect, test } from '@jest/globals';
import { GoneError } from '../../src/client/api-error.js';
import { readPages, type FetchPage, type ListPage } from '../../src/client/pager.js';

function page(names: readonly string[], next?: string, resourceVersion = '10'): ListPage {
  const metadata = { resourceVersion, ...(next !== undefined && { continue: next }) };
  return { metadata, items: names.map((name) => ({ metadata: { name } })) };
}

const gone = new GoneError('expired', { status: 410, reason: 'Expired', request: { method: 'GET', path: '/' } });

/** Answers calls from a table of `limit token`. */
function server(pages: Readonly<Record<string, ListPage | Error>>, asked: string[] = []): FetchPage {
  return (limit, token = '') => {
    asked.push(`${String(limit)} ${token}`);
    const answer = pages[`${String(limit)} ${token}`];
    return answer instanceof Error || answer === undefined
      ? Promise.reject(answer ?? new Error('unasked'))
      : Promise.resolve(answer);
  };
}

async function names(fetch: FetchPage, limit: number): Promise<string[]> {
  return (await readPages(fetch, limit)).items.map((item) => item.metadata.name);
}

describe('readPages', () => {
  test('all pages are read, in order', async () => {
    const fetch = server({ '2 ': page(['a', 'b'], 'x'), '2 x': page(['c', 'd'], 'y'), '2 y': page(['e']) });
    expect(await names(fetch, 2)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('an empty continue token ends the list, and missing items are an empty list', async () => {
    const fetch = server({
      '2 ': { kind: 'WidgetList', metadata: { continue: '', resourceVersion: '3' }, items: null },
    });
    expect(await readPages(fetch, 2)).toEqual({ items: [], resourceVersion: '3' });
  });

  test('a token that has expired leads to the whole list, with nothing of the half one', async () => {
    const asked: string[] = [];
    const whole = page(['c', 'd'], undefined, '20');
    const fetch = server({ '2 ': page(['a', 'b'], 'x'), '2 x': gone, '0 ': whole }, asked);
    expect(await readPages(fetch, 2)).toEqual({ items: whole.items, resourceVersion: '20' });
    expect(asked).toEqual(['2 ', '2 x', '0 ']);
  });

  test('a whole list that is gone is not asked for again', async () => {
    const asked: string[] = [];
    await expect(readPages(server({ '0 ': gone }, asked), 0)).rejects.toBe(gone);
    expect(asked).toEqual(['0 ']);
  });

  test('any other error ends the list', async () => {
    const error = new Error('no');
    await expect(readPages(server({ '2 ': page(['a'], 'x'), '2 x': error }), 2)).rejects.toBe(error);
  });

  test.each<[string, unknown]>([
    ['text', '<html>Down for maintenance</html>'],
    ['an empty object', {}],
    ['a Status', { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' }],
    ['a Table', { kind: 'Table', metadata: { resourceVersion: '3' }, rows: [] }],
    ['items that are not an array', { kind: 'WidgetList', metadata: {}, items: {} }],
  ])('a response that is %s is an error, not an empty list', async (_, response) => {
    const fetch = server({ '2 ': page(['a'], 'x'), '2 x': response as ListPage });
    await expect(readPages(fetch, 2)).rejects.toMatchObject({ code: 'E_RESPONSE' });
    await expect(readPages(server({ '2 ': response as ListPage }), 2)).rejects.toMatchObject({ code: 'E_RESPONSE' });
  });
});
