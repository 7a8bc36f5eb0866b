import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ModelError } from '../../src/resource/model-error.js';
import { buildResourceModels, type ResourceClass } from '../../src/resource/model.js';

const folder = dirname(import.meta.filename);
const errors = join(folder, '../errors');
const themes = readdirSync(join(folder, 'mistakes')).map((file) => basename(file, '.ts'));

/** What a person reads; UPDATE_ERRORS=1 writes it down anew, to be read before it is kept. */
function golden(theme: string, text: string): string {
  const file = join(errors, `${theme}.txt`);
  if (process.env['UPDATE_ERRORS']) writeFileSync(file, text);
  return readFileSync(file, 'utf8');
}

function mistakesOf(classes: readonly ResourceClass[]): ModelError {
  try {
    buildResourceModels(classes);
  } catch (error) {
    if (error instanceof ModelError) return error;
    throw error;
  }
  throw new Error('no mistake was found');
}

describe('mistakes in annotated classes are reported all at once', () => {
  test.each(themes.filter((theme) => theme !== 'classes'))('%s', async (theme) => {
    const { classes } = (await import(`./mistakes/${theme}.ts`)) as { classes: ResourceClass[] };
    const { message, hint } = mistakesOf(classes);
    const text = hint === undefined ? `${message}\n` : `${message}\nhint: ${hint}\n`;
    expect(text).toBe(golden(theme, text));
  });
});
