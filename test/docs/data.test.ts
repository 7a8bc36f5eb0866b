import { expect, test } from '@jest/globals';
import { relative, join } from 'node:path';
import { parseYamlDocuments } from '../../src/base/yaml.js';
import { parseProjectSettings } from '../../src/manifests/settings/parse-project-settings.js';
import { testOf } from './block-tests.js';
import { blocksOf, PAGES } from './doc-files.js';

const root = join(import.meta.dirname, '..', '..');
const testPath = relative(root, import.meta.filename);
const blocks = PAGES.flatMap(blocksOf)
  .filter((block) => block.reason === undefined && testOf(block) === testPath)
  .map((block) => ({ ...block, place: `${block.page}:${block.line}` }));

test.each(blocks)('the data of $place can be read', ({ place, language, code }) => {
  if (language === 'yaml') expect(parseYamlDocuments(code, place).length).toBeGreaterThan(0);
  else expect(JSON.parse(code)).toBeInstanceOf(Object);
  if (code.includes('"kindwright"')) expect(parseProjectSettings(code, place)).toBeInstanceOf(Object);
});
