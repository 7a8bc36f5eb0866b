// Writes src/api/kinds.ts anew: npm run generate:kinds
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ControlPlane } from '../controlplane/control-plane.ts';
import { generateKinds } from './kinds-source.ts';

const controlPlane = await ControlPlane.start({ parts: ['etcd', 'apiserver'] });
try {
  const file = join(import.meta.dirname, '..', '..', 'src', 'api', 'kinds.ts');
  const { source, untyped } = await generateKinds(controlPlane);
  await writeFile(file, source);
  console.log(`wrote ${file}`);
  if (untyped.length > 0) console.log(`without a type in @kubernetes/client-node: ${untyped.join(', ')}`);
} finally {
  await controlPlane.stop();
}
