import { expect, test } from '@jest/globals';
import { imageParts } from '../../../src/manifests/layouts/image-parts.js';

test.each([
  ['controller', { newName: 'controller', newTag: 'latest' }],
  ['controller:1.0', { newName: 'controller', newTag: '1.0' }],
  ['registry.example.com:5000/a/b', { newName: 'registry.example.com:5000/a/b', newTag: 'latest' }],
  ['registry.example.com:5000/a/b:2', { newName: 'registry.example.com:5000/a/b', newTag: '2' }],
  ['a/b@sha256:0f', { newName: 'a/b', digest: 'sha256:0f' }],
])('the image %s is split into its parts', (image, parts) => {
  expect(imageParts(image)).toEqual(parts);
});
