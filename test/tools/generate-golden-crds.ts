// Regenerates test/manifests/golden/*.yaml; large files are compressed: npm run generate:golden
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compressed } from './compressed-text.ts';
import { generateGoldenCrds, goldenFolder, readYamlFiles } from './golden-crds.ts';

/** Longer files are compressed. */
const LARGE = 100_000;

const crds = await generateGoldenCrds();
for (const name of (await readYamlFiles(goldenFolder)).keys())
  for (const suffix of ['', '.br']) await rm(join(goldenFolder, name + suffix), { force: true });
for (const [name, text] of crds) {
  const isLarge = text.length > LARGE;
  const file = join(goldenFolder, isLarge ? `${name}.br` : name);
  await writeFile(file, isLarge ? compressed(text) : text);
  console.log(`wrote ${file}`);
}
