import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { Client } from '../../src/client/client.js';
import type { StartedCommand } from '../cli/started-command.js';
import { launchChromium } from './chromium.js';
import { openPage, type OpenPage, type PageOptions } from './open-page.js';
import { StartedConsole } from './started-console.js';

export const FRAGILE = `
import { CustomResource, Field, Kind } from 'kindwright';

class FragileSpec {
  @Field({ items: String, optional: true }) names?: string[];
}

/** An operator that fails as long as the names are missing. */
@Kind({ group: 'test.example.com', version: 'v1' })
export class Fragile extends CustomResource {
  @Field() spec!: FragileSpec;

  reconcile(): void {
    const count = this.spec.names!.length;
    if (count === 0) throw new Error('no names');
  }
}
`;

/** The line of `FRAGILE` that fails. */
export const FAILING_LINE = FRAGILE.split('\n').findIndex((line) => line.includes('const count')) + 1;

/** An operator with its console, and a browser; started once for all tests of a file. */
export interface ConsoleSuite {
  readonly url: string;
  readonly client: Client;
  readonly operator: StartedCommand;
  /** Opens the console in a page that is closed after the test. */
  open(options?: PageOptions): Promise<OpenPage>;
}

/**
 * Starts operators, given as source files by their name, and Chromium for the tests of the file.
 *
 * @param flags - more flags of run-operator
 */
export function consoleSuite(operators: Readonly<Record<string, string>>, flags: readonly string[] = []): ConsoleSuite {
  let console: StartedConsole | undefined;
  let browser: Browser | undefined;
  const pages: OpenPage[] = [];

  beforeAll(async () => {
    browser = await launchChromium();
    console = await StartedConsole.start(operators, flags);
  });
  afterEach(async () => {
    for (const page of pages.splice(0)) await page[Symbol.asyncDispose]();
  });
  afterAll(async () => {
    await browser?.close();
    await console?.[Symbol.asyncDispose]();
  });
  return {
    get url() {
      return console!.url;
    },
    get client() {
      return console!.client;
    },
    get operator() {
      return console!.operator;
    },
    open: async (options) => {
      const page = await openPage(browser!, console!.url, options);
      pages.push(page);
      return page;
    },
  };
}
