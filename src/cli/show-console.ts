import type { Logger } from '../base/logger.js';
import type { Console } from '../console/console.js';
import { printLine } from './print-line.js';

/**
 * Prints the URL of a console, which contains the token, and opens it in the browser with `open`. Has no effect without a URL:
 * then `kindwright console` serves the page.
 */
export function showConsole(
  console: Pick<Console, 'url' | 'writeRedirect'>,
  { open = false }: { readonly open?: boolean },
  logger: Logger,
): void {
  const { url } = console;
  if (url === undefined) return;
  printLine(`Console: ${url}`);
  if (!open) return;
  void import('./open-in-browser.js').then(({ openInBrowser }) => openInBrowser(() => console.writeRedirect(), logger));
}
