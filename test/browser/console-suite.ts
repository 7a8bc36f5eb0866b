import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { Client } from '../../src/client/client.js';
import { eventually } from '../../src/testing/eventually.js';
import { StartedCommand } from '../cli/started-command.js';
import { TemporaryProject } from '../cli/temporary-project.js';
import { launchChromium } from './chromium.js';
import { openPage, type OpenPage, type PageOptions } from './open-page.js';

/** The line 12 fails. */
export const FRAGILE = `
import { CustomResource, Field, Kind } from 'kindwright';

class FragileSpec {
  @Field({ optional: true }) names?: string[];
}

/** An operator that fails as long as the names are missing. */
@Kind({ group: 'test.example.com', version: 'v1' })
export class Fragile extends CustomResource {
  @Field() spec!: FragileSpec;

  reconcile(): void {
    const { length } = this.spec.names!;
    if (length === 0) throw new Error('no names');
  }
}
`;

/** The line of `FRAGILE` that fails. */
export const FAILING_LINE = FRAGILE.split('\n').findIndex((line) => line.includes('const { length }')) + 1;

/** An operator with its console, and a browser; started once for all tests of a file. */
export interface ConsoleSuite {
  /** The URL that the operator has printed. */
  readonly url: string;
  /** The administrator's. */
  readonly client: Client;
  readonly operator: StartedCommand;
  /** Opens the console; after the test, the page is closed, and must not have reported problems. */
  open(options?: PageOptions): Promise<OpenPage>;
}

/**
 * Starts a real operator process with an embedded server, and Chromium, for the tests of the file.
 *
 * @param operators - source files by their name
 */
export function consoleSuite(operators: Readonly<Record<string, string>>): ConsoleSuite {
  let project: TemporaryProject;
  let operator: StartedCommand;
  let browser: Browser;
  let client: Client;
  let url: string;
  const pages: OpenPage[] = [];

  beforeAll(async () => {
    browser = await launchChromium();
    const files = Object.entries(operators).map(([name, text]) => [`operators/${name}`, text]);
    project = new TemporaryProject(Object.fromEntries(files) as Record<string, string>);
    operator = new StartedCommand(project.start('run-operator', ['--embedded', '--console=0']));
    client = await operator.client();
    url = await eventually(() => {
      const [found] = /http:\/\/127\.0\.0\.1:\d+\/#t=[\w-]+/.exec(operator.stdout + operator.stderr) ?? [];
      if (found === undefined) throw new Error('the URL of the console is not yet printed');
      return found;
    });
  });
  afterEach(async () => {
    for (const page of pages.splice(0)) await page[Symbol.asyncDispose]();
  });
  afterAll(async () => {
    await browser?.close();
    await operator?.end();
    project?.remove();
  });
  return {
    get url() {
      return url;
    },
    get client() {
      return client;
    },
    get operator() {
      return operator;
    },
    open: async (options) => {
      const page = await openPage(browser, url, options);
      pages.push(page);
      return page;
    },
  };
}
