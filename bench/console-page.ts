import { setTimeout as delay } from 'node:timers/promises';
import type { Client, KindRef } from '../dist/index.js';
import { launchChromium } from '../test/browser/chromium.ts';
import type { Candidate, Mode } from './console-candidate.ts';
import { median } from './report.ts';

export interface PageOptions {
  readonly on: Candidate;
  /** The number of objects that the page lists. */
  readonly objects: number;
  readonly storm: Mode;
  /** The cores that are used in the storm. */
  readonly withoutPage: { readonly off: number; readonly on: number };
  readonly client: Client;
  readonly kind: KindRef;
}

const STORM_MS = 10_000;
const CHANGES = 60;
/** Stores the time at which the object of the first row has the expected generation. */
const OBSERVE = `
  window.expect = (generation) => {
    window.shownAt = undefined;
    window.expected = String(generation);
  };
  const isShown = () =>
    document.querySelectorAll('.objects [role=row]:has([role=gridcell]) [role=gridcell]')[3]?.innerText === window.expected;
  new MutationObserver(() => {
    if (window.shownAt === undefined && isShown()) window.shownAt = Date.now();
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
`;
/** Scrolls through the list of objects for three seconds; the times of the frames. */
const SCROLL = `new Promise((resolve) => {
  const list = document.querySelector('[role=grid]');
  const frames = [];
  const step = (at) => {
    frames.push(at);
    list.scrollTop += 84;
    if (at - frames[0] < 3000) requestAnimationFrame(step);
    else {
      list.scrollTop = 0;
      resolve(frames);
    }
  };
  requestAnimationFrame(step);
})`;
/** The first of its name and of its prefix. */
const CHANGED = 'g7';

/** The work of operator and browser in a storm of reconciles, and the time from a change to the page; rows of a table. */
export async function measurePage(options: PageOptions): Promise<string[][]> {
  const { on, objects, storm, withoutPage, client, kind } = options;
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    const openedAt = performance.now();
    await page.goto(on.url);
    await page.getByText(`${objects.toLocaleString('en-US')} objects`, { exact: true }).waitFor();
    const listedMs = performance.now() - openedAt;
    const frames = await page.evaluate<readonly number[]>(SCROLL);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable');
    const taskSeconds = async (): Promise<number> => {
      const { metrics } = await devtools.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
    };
    const before = { at: performance.now(), seconds: await taskSeconds() };
    const { cpuMs, ms } = await on.work(storm, STORM_MS);
    const browserShare = (((await taskSeconds()) - before.seconds) * 1000) / (performance.now() - before.at);
    const cores = cpuMs / ms;

    await page.getByRole('searchbox').fill(CHANGED);
    await page.evaluate(OBSERVE);
    const times: number[] = [];
    for (let generation = 2; generation < CHANGES + 2; generation++) {
      await page.evaluate(`expect(${generation})`);
      const at = Date.now();
      await client.patch(kind, CHANGED, { spec: { value: generation } }, { namespace: 'on' });
      while ((await page.evaluate('window.shownAt')) == null) await delay(5);
      times.push(Number(await page.evaluate('window.shownAt')) - at);
      await delay(Math.random() * 100);
    }
    const sorted = times.toSorted((a, b) => a - b);
    const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
    const count = `${storm.perSecond} reconciles/s`;
    const { off, on: closed } = withoutPage;
    const gaps = frames.slice(1).map((at, index) => at - (frames[index] ?? at));
    const perSecond = (gaps.length * 1000) / gaps.reduce((sum, gap) => sum + gap, 0);
    return [
      [`from the navigation to the list of ${objects} objects, ms`, listedMs.toFixed(0), '1000'],
      ['frames per second while it is scrolled', perSecond.toFixed(0), '55'],
      ['longest time between two of them, ms', Math.max(...gaps).toFixed(0), '100'],
      [
        `${count}: cores of the operator without console, with it, with a page`,
        [off, closed, cores].map((value) => value.toFixed(3)).join(', '),
        (off + 0.05).toFixed(3),
      ],
      [`${count}: main thread of the page`, `${(browserShare * 100).toFixed(1)} %`, '10 %'],
      ['from a change to the page, median and 95th percentile, ms', `${median(times)}, ${p95}`, '250'],
    ];
  } finally {
    await browser.close();
  }
}
