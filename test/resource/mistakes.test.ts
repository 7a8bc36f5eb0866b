import { describe, expect, test } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildResourceModels } from '../../src/resource/build-models.js';
import type { ResourceClass } from '../../src/resource/model.js';
import { golden, errorText } from '../errors/golden.js';

/** The checks of webhooks among the errors of a theme. */
const CHECKS: Readonly<Partial<Record<string, string>>> = {
  webhooks: ' (G1, G2, G3, G7, G8, G9)',
  admissions: ' (G4, G5, G6)',
  conversions: ' (G12)',
};
const themes = readdirSync(join(import.meta.dirname, 'mistakes')).map((file) => basename(file, '.ts'));

describe('all errors in annotated classes are reported together', () => {
  test.each(themes.filter((theme) => theme !== 'classes').map((theme) => [theme, CHECKS[theme] ?? '']))(
    'errors in annotated classes are reported together: %s%s',
    async (theme) => {
      const { classes } = (await import(`./mistakes/${theme}.ts`)) as { classes: ResourceClass[] };
      const text = errorText(() => buildResourceModels(classes));
      expect(text).toBe(golden(theme, text));
    },
  );
});
