import { describe, expect, test } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildResourceModels } from '../../src/resource/build-models.js';
import type { ResourceClass } from '../../src/resource/model.js';
import { golden, errorText } from '../errors/golden.js';

const themes = readdirSync(join(import.meta.dirname, 'mistakes')).map((file) => basename(file, '.ts'));

describe('all errors in annotated classes are reported together', () => {
  test.each(themes.filter((theme) => theme !== 'classes'))('%s', async (theme) => {
    const { classes } = (await import(`./mistakes/${theme}.ts`)) as { classes: ResourceClass[] };
    const text = errorText(() => buildResourceModels(classes));
    expect(text).toBe(golden(theme, text));
  });
});
