import { describe, expect, test } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { generateManifests } from '../../src/manifests/generate.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import type { ResourceClass } from '../../src/resource/model.js';
import { golden, errorText } from '../errors/golden.js';

const themes = readdirSync(join(import.meta.dirname, 'mistakes')).map((file) => basename(file, '.ts'));

describe('errors of the API server are reported before a file is written', () => {
  test.each(themes)('an error of the API server is reported by the generator: %s', async (theme) => {
    const { classes } = (await import(`./mistakes/${theme}.ts`)) as { classes: ResourceClass[] };
    const sources = buildResourceModels(classes).map((model) => ({ model, sourceFile: 'mistaken.ts' }));
    const text = errorText(() => generateManifests(sources));
    expect(text).toBe(golden(theme, text));
  });
});
