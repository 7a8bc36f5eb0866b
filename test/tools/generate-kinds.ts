// Regenerates src/api/kinds/kinds.ts and src/manifests/problems/built-in-names.ts: npm run generate:kinds
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ControlPlane } from '../controlplane/control-plane.ts';
import { generateBuiltInNames } from './built-in-names-source.ts';
import { generateKinds } from './kinds-source.ts';

const controlPlane = await ControlPlane.start({ parts: ['etcd', 'apiserver'] });
try {
  const root = join(import.meta.dirname, '..', '..');
  const file = join(root, 'src', 'api', 'kinds', 'kinds.ts');
  const { source, untyped } = await generateKinds(controlPlane);
  await writeFile(file, source);
  const namesFile = join(root, 'src', 'manifests', 'problems', 'built-in-names.ts');
  await writeFile(namesFile, await generateBuiltInNames(controlPlane));
  console.log(`wrote ${file} and ${namesFile}`);
  if (untyped.length > 0) console.log(`without a type in @kubernetes/client-node: ${untyped.join(', ')}`);
} finally {
  await controlPlane.stop();
}
