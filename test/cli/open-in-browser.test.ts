import { beforeEach, describe, expect, test } from '@jest/globals';
import { RecordingLogger } from 'kindwright/testing';
import { openInBrowser, type Desktop } from '../../src/cli/open-in-browser.js';

let logger: RecordingLogger;
let started: [string, readonly string[]][];
let written: number;

beforeEach(() => {
  logger = new RecordingLogger();
  started = [];
  written = 0;
});

const desktop = (given: Partial<Desktop> = {}): Desktop => ({
  platform: 'linux',
  env: { DISPLAY: ':0' },
  isTerminal: true,
  run: (program, args) => {
    started.push([program, args]);
    return Promise.resolve();
  },
  ...given,
});
const write = (): string => {
  written += 1;
  return '/run/console.html';
};

describe('the browser', () => {
  test.each([
    ['linux', { DISPLAY: ':0' }, ['xdg-open', ['/run/console.html']]],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0', CI: 'false' }, ['xdg-open', ['/run/console.html']]],
    ['darwin', {}, ['open', ['/run/console.html']]],
    ['win32', {}, ['rundll32', ['url.dll,FileProtocolHandler', '/run/console.html']]],
  ] as const)('is opened with the program of %s', async (platform, env, expected) => {
    await openInBrowser(write, logger, desktop({ platform, env }));
    expect(started).toEqual([expected]);
    expect(logger.lines).toEqual([]);
  });

  test.each([
    ['CI is set', { env: { DISPLAY: ':0', CI: 'true' } }],
    ['the output is not a terminal', { isTerminal: false }],
    ['DISPLAY is not set', { env: {} }],
  ])('is not opened if %s, which is logged', async (reason, given) => {
    await openInBrowser(write, logger, desktop(given));
    expect([started, written]).toEqual([[], 0]);
    expect(logger.lines).toMatchObject([{ level: 'info', fields: { reason } }]);
  });

  test('is not opened if the file of the console cannot be written', async () => {
    await openInBrowser(() => undefined, logger, desktop());
    expect(started).toEqual([]);
  });

  test('may be missing: then a warning names the printed URL', async () => {
    const run = () => Promise.reject(new Error('spawn xdg-open ENOENT'));
    await openInBrowser(write, logger, desktop({ run }));
    expect(logger.lines).toMatchObject([
      { level: 'warn', fields: { reason: 'spawn xdg-open ENOENT', hint: 'open the printed URL' } },
    ]);
  });
});
