// Packs the CustomResourceDefinitions in a folder for tests: npm run generate:public-crds <project> <folder>
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publicCrdsFolder } from '../import-crd/public-crds.ts';
import { compressed } from './compressed-text.ts';

const [project, folder] = process.argv.slice(2);
if (project === undefined || folder === undefined) {
  console.error('usage: npm run generate:public-crds <project> <folder>');
  process.exit(1);
}
const documents = readdirSync(folder)
  .filter((name) => name.endsWith('.yaml'))
  .sort()
  .map((name) => readFileSync(join(folder, name), 'utf8').replace(/^(?:#.*\n)*---\n/, ''))
  .filter((text) => /^kind: CustomResourceDefinition$/m.test(text));
const file = join(publicCrdsFolder, `${project}.yaml.br`);
writeFileSync(file, compressed(documents.join('---\n')));
console.log(`wrote ${documents.length} definitions to ${file}`);
