import { customResourceDefinitionsOf, manifestsOf } from 'kindwright';
import { PodSet } from './pod-set.js';

export async function printManifests(): Promise<void> {
  for (const definition of await customResourceDefinitionsOf([PodSet])) console.log(definition.metadata.name);
  for (const file of await manifestsOf([PodSet], { image: 'registry.example.com/podset:1' })) console.log(file.path);
}
