import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ModelError } from '../../src/resource/model-error.js';

/** What a person reads of the mistakes that an act finds. */
export function mistakesText(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const { message, hint } = error;
    return hint === undefined ? `${message}\n` : `${message}\nhint: ${hint}\n`;
  }
  throw new Error('no mistake was found');
}

/** The text that is expected; UPDATE_ERRORS=1 writes it down anew, to be read before it is kept. */
export function golden(theme: string, text: string): string {
  const file = join(import.meta.dirname, `${theme}.txt`);
  if (process.env['UPDATE_ERRORS']) writeFileSync(file, text);
  return readFileSync(file, 'utf8');
}
