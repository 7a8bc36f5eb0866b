import { describe, expect, test } from '@jest/globals';
import { GoneError } from '../../src/client/api-error.js';
import { OperatorError } from '../../src/base/operator-error.js';
import { ConnectionError } from '../../src/client/connection-error.js';
import type { ListPage } from '../../src/client/assert-list.js';
import { readPages, type FetchPage } from '../../src/client/pager.js';

function page(names: readonly string[], next?: string, resourceVersion = '10'): ListPage {
  const metadata = { resourceVersion, ...(next !== undefined && { continue: next }) };
  return { metadata, items: names.map((name) => ({ metadata: { name } })) };
}

const gone = new GoneError('expired', { status: 410, reason: 'Expired', request: { method: 'GET', path: '/' } });

const tooLong = new OperatorError('too long', { code: 'E_RESPONSE_TOO_LONG' });

function timeout(isPartial: boolean): ConnectionError {
  return new ConnectionError('no response', { reason: 'timeout', host: 'server', isPartial });
}

type Answer = ListPage | Error;

/** Answers calls from a table of `limit token`; an array is consumed from its start. */
function server(pages: Readonly<Record<string, Answer | Answer[]>>, asked: string[] = []): FetchPage {
  return (limit, token = '') => {
    asked.push(`${String(limit)} ${token}`);
    const entry = pages[`${String(limit)} ${token}`];
    const answer = Array.isArray(entry) ? entry.shift() : entry;
    return answer instanceof Error || answer === undefined
      ? Promise.reject(answer ?? new Error('unasked'))
      : Promise.resolve(answer);
  };
}

async function names(fetch: FetchPage, limit: number): Promise<string[]> {
  return (await readPages(fetch, limit)).items.map((item) => item.metadata.name);
}

describe('readPages', () => {
  test('readPages reads all pages, in order', async () => {
    const fetch = server({ '2 ': page(['a', 'b'], 'x'), '2 x': page(['c', 'd'], 'y'), '2 y': page(['e']) });
    expect(await names(fetch, 2)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('an empty continue token ends the list, and missing items are an empty list', async () => {
    const fetch = server({
      '2 ': { kind: 'WidgetList', metadata: { continue: '', resourceVersion: '3' }, items: null },
    });
    expect(await readPages(fetch, 2)).toEqual({ items: [], resourceVersion: '3' });
  });

  test('an expired continue token leads to a list without pages, and nothing of the incomplete one is used', async () => {
    const asked: string[] = [];
    const whole = page(['c', 'd'], undefined, '20');
    const fetch = server({ '2 ': page(['a', 'b'], 'x'), '2 x': gone, '0 ': whole }, asked);
    expect(await readPages(fetch, 2)).toEqual({ items: whole.items, resourceVersion: '20' });
    expect(asked).toEqual(['2 ', '2 x', '0 ']);
  });

  test('if the whole list is too long, the pages are read once more, from new tokens', async () => {
    const asked: string[] = [];
    const firsts = [page(['a'], 'x'), page(['b'], 'y', '30')];
    const fetch = server({ '2 ': firsts, '2 x': gone, '0 ': tooLong, '2 y': page(['c'], undefined, '30') }, asked);
    const { items, resourceVersion } = await readPages(fetch, 2);
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['b', 'c']);
    expect(resourceVersion).toBe('30');
    expect(asked).toEqual(['2 ', '2 x', '0 ', '2 ', '2 y']);
  });

  test('a server whose tokens always expire and whose whole list is too long ends the list with its error', async () => {
    const asked: string[] = [];
    const fetch = server({ '2 ': page(['a'], 'x'), '2 x': gone, '0 ': timeout(true) }, asked);
    await expect(readPages(fetch, 2)).rejects.toBe(gone);
    expect(asked).toEqual(['2 ', '2 x', '0 ', '2 ', '2 x']);
  });

  test('a first page that is gone is an error, because no token has expired', async () => {
    const asked: string[] = [];
    await expect(readPages(server({ '2 ': gone }, asked), 2)).rejects.toBe(gone);
    expect(asked).toEqual(['2 ']);
  });

  test.each([
    ['is too long', tooLong],
    ['does not arrive completely in time', timeout(true)],
  ])('a page that %s is requested again in smaller parts, from the same token', async (_, error) => {
    const asked: string[] = [];
    const fetch = server(
      { '40 ': page(['a'], 'x'), '40 x': error, '10 x': page(['b'], 'y'), '10 y': page(['c']) },
      asked,
    );
    expect((await readPages(fetch, 40)).items.map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'c']);
    expect(asked).toEqual(['40 ', '40 x', '10 x', '10 y']);
  });

  test('pages that stay too long end the list after two smaller ones', async () => {
    const asked: string[] = [];
    await expect(readPages(server({ '40 ': tooLong, '10 ': tooLong, '2 ': tooLong }, asked), 40)).rejects.toBe(tooLong);
    expect(asked).toEqual(['40 ', '10 ', '2 ']);
  });

  test('a page without any response is not requested again', async () => {
    const error = timeout(false);
    const asked: string[] = [];
    await expect(readPages(server({ '40 ': error }, asked), 40)).rejects.toBe(error);
    expect(asked).toEqual(['40 ']);
  });

  test('a token that is followed by itself is an error, not an endless list', async () => {
    const fetch = server({ '2 ': page(['a'], 'x'), '2 x': page(['a'], 'x') });
    await expect(readPages(fetch, 2)).rejects.toMatchObject({ code: 'E_RESPONSE' });
  });

  test('tokens that alternate are an error, not an endless list', async () => {
    const asked: string[] = [];
    const pages = { '2 ': page(['a'], 'x'), '2 x': page(['a'], 'y'), '2 y': page(['a'], 'x') };
    await expect(readPages(server(pages, asked), 2)).rejects.toMatchObject({ code: 'E_RESPONSE' });
    expect(asked).toEqual(['2 ', '2 x', '2 y']);
  });

  test('a list without pages that has expired is not requested again', async () => {
    const asked: string[] = [];
    await expect(readPages(server({ '0 ': gone }, asked), 0)).rejects.toBe(gone);
    expect(asked).toEqual(['0 ']);
  });

  test('any other error ends a list in pages', async () => {
    const error = new Error('no');
    await expect(readPages(server({ '2 ': page(['a'], 'x'), '2 x': error }), 2)).rejects.toBe(error);
  });
});
