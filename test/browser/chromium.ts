import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Starts Chromium: the program in the variable CHROMIUM, or one of the usual names in PATH. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] ?? foundInPath();
  if (executablePath === undefined) {
    throw new Error(
      'no Chromium found; install one with: apt-get install -y --no-install-recommends chromium-headless-shell\n' +
        'or set CHROMIUM to the path of the program',
    );
  }
  // A container has no user namespaces for the sandbox; the pages are our own.
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

function foundInPath(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/usr/lib/chromium'];
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find((path) => existsSync(path));
}
