import type { Browser, Page } from 'playwright-core';

export interface PageOptions {
  readonly scheme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
}

/** A page of the console, and what the browser has reported about it. */
export interface OpenPage extends AsyncDisposable {
  readonly page: Page;
  /** Errors of scripts, messages of level error, reports of the content security policy, and requests to other origins. */
  readonly problems: string[];
  /** Shows a view: the part of its URL after `#/`. */
  show(view: string): Promise<void>;
}

/**
 * Opens the console in a browser context of its own.
 *
 * @param url - the URL that the operator prints, with the token in its fragment
 */
export async function openPage(browser: Browser, url: string, options: PageOptions = {}): Promise<OpenPage> {
  const { scheme = 'light', width = 1280, height = 800 } = options;
  const context = await browser.newContext({ colorScheme: scheme, viewport: { width, height } });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== new URL(url).origin) problems.push(`request to ${request.url()}`);
  });
  await page.addInitScript({
    content: `addEventListener('securitypolicyviolation', (event) => console.error('CSP', event.violatedDirective, event.blockedURI));`,
  });
  await page.goto(url);
  await page.getByText('Live', { exact: true }).waitFor();
  return {
    page,
    problems,
    show: async (view) => {
      await page.goto(`${new URL(url).origin}/#/${view}`);
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
}
