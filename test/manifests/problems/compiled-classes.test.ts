import { expect, test } from '@jest/globals';
import { compiledClasses } from '../../../src/manifests/problems/compiled-classes.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import { Field } from '../../../src/resource/decorators/field.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { Sound } from '../../resource/mistakes/classes.js';

@Kind({ group: 'apps.example.com', version: 'v1' })
class PodSet extends Sound {
  @Field() note!: string;
}

const [model] = buildResourceModels([PodSet]);

test('classes in JavaScript that another compiler has written cause one warning that names their files', () => {
  const sourceFile = 'dist/podset.js';
  expect(
    compiledClasses([
      { model: model!, sourceFile },
      { model: model!, sourceFile },
    ]),
  ).toEqual([
    expect.stringMatching(/^dist\/podset\.js: JavaScript of another compiler does not contain question marks/),
  ]);
  expect(compiledClasses([{ model: model!, sourceFile: 'operators/podset.ts' }])).toEqual([]);
});
