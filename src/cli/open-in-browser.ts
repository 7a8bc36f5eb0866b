import { spawn } from 'node:child_process';
import type { Logger } from '../base/logger.js';
import { thrownError } from '../base/thrown-error.js';

/** The properties of a machine on which opening a browser depends. */
export interface Desktop {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  readonly isTerminal: boolean;
  /** Resolves when the program has ended with success. */
  readonly run: (program: string, args: readonly string[]) => Promise<void>;
}

/**
 * Opens a file in the user's browser: from a terminal, and not in CI. Otherwise, and if it fails, the reason is logged; the
 * URL that the command prints remains. Never rejects.
 *
 * @param write returns the path of the file; undefined if it cannot be written
 */
export async function openInBrowser(
  write: () => string | undefined,
  logger: Logger,
  desktop: Desktop = thisDesktop(),
): Promise<void> {
  const reason = missing(desktop);
  if (reason !== undefined) {
    logger.info('The browser is not opened', { reason });
    return;
  }
  try {
    const path = write();
    if (path !== undefined) await desktop.run(...openerOf(path, desktop));
  } catch (thrown) {
    logger.warn('The browser could not be opened', {
      reason: thrownError(thrown).message,
      hint: 'open the printed URL',
    });
  }
}

function missing({ platform, env, isTerminal }: Desktop): string | undefined {
  const { CI = '', DISPLAY = '', WAYLAND_DISPLAY = '' } = env;
  if (CI !== '' && CI !== 'false') return 'CI is set';
  if (!isTerminal) return 'the output is not a terminal';
  const hasScreen = platform === 'darwin' || platform === 'win32' || DISPLAY + WAYLAND_DISPLAY !== '';
  return hasScreen ? undefined : 'DISPLAY is not set';
}

function openerOf(path: string, { platform }: Desktop): [program: string, args: readonly string[]] {
  if (platform === 'darwin') return ['open', [path]];
  if (platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', path]];
  return ['xdg-open', [path]];
}

function thisDesktop(): Desktop {
  const { platform, env, stdout } = process;
  return { platform, env, isTerminal: stdout.isTTY, run };
}

/** Runs a program in a process group of its own, so that Ctrl-C does not end the browser, without waiting for it at the end. */
function run(program: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'ignore', detached: true });
    child.unref();
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} has ended with exit code ${String(code)}`));
    });
  });
}
