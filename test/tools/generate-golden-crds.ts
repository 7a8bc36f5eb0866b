// Writes test/manifests/golden/*.yaml anew: npm run generate:golden
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateGoldenCrds, goldenFolder, readYamlFiles } from './golden-crds.ts';

const crds = await generateGoldenCrds();
for (const name of (await readYamlFiles(goldenFolder)).keys()) await rm(join(goldenFolder, name));
for (const [name, text] of crds) {
  await writeFile(join(goldenFolder, name), text);
  console.log(`wrote ${join(goldenFolder, name)}`);
}
