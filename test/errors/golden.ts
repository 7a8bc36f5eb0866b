import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ModelError } from '../../src/resource/model-error.js';

/** Returns the printed diagnostics of an action. */
export function errorText(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const { message, hint } = error;
    return hint === undefined ? `${message}\n` : `${message}\nhint: ${hint}\n`;
  }
  throw new Error('no error was thrown');
}

/** The expected text. UPDATE_ERRORS=1 regenerates it; review the change. */
export function golden(theme: string, text: string): string {
  const file = join(import.meta.dirname, `${theme}.txt`);
  if (process.env['UPDATE_ERRORS']) writeFileSync(file, text);
  return readFileSync(file, 'utf8');
}
