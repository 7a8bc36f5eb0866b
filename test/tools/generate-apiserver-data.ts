// Regenerates src/apiserver/data/kubernetes-1.36.bin: npm run generate:apiserver-data
import { writeFile } from 'node:fs/promises';
import { ControlPlane } from '../controlplane/control-plane.ts';
import { apiserverDataFile, generateApiserverData, packApiserverData } from './apiserver-data.ts';

const controlPlane = await ControlPlane.start({ parts: ['etcd', 'apiserver'] });
try {
  await writeFile(apiserverDataFile, packApiserverData(await generateApiserverData(controlPlane)));
  console.log(`wrote ${apiserverDataFile}`);
} finally {
  await controlPlane.stop();
}
