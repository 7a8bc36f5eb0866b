import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { generateManifests } from '../../../src/manifests/generate.js';
import { Field } from '../../../src/resource/decorators/field.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import type { ResourceModel } from '../../../src/resource/model.js';
import { Sound } from '../../resource/mistakes/classes.js';

/** A kind with two branches, one of which has a description of so many KiB. */
function modelWith(kib: number): ResourceModel {
  class Branch {
    @Field('word '.repeat(kib * 205)) much!: string;
    @Field('a little') little!: string;
  }
  class Spec {
    @Field() big!: Branch;
    @Field('word '.repeat(20_000)) small!: string;
  }
  @Kind({ group: 'apps.example.com', version: 'v1' })
  class Big extends Sound {
    @Field() spec!: Spec;
  }
  return buildResourceModels([Big])[0]!;
}

function warningsOf(kib: number, maxDescriptionLength?: number): string[] {
  const warnings: string[] = [];
  const warn = (message: string): void => {
    warnings.push(message);
  };
  const options = maxDescriptionLength === undefined ? { warn } : { warn, maxDescriptionLength };
  generateManifests([{ model: modelWith(kib), sourceFile: 'big.ts' }], options);
  return warnings;
}

describe('a CustomResourceDefinition', () => {
  test('a definition too large for client-side apply causes a warning that names its largest parts', () => {
    expect(warningsOf(100)).toEqual([]);
    expect(warningsOf(180)).toEqual([
      'Big: the CustomResourceDefinition has 280 KiB, most of it in .spec.big.much (181 KiB), .spec.small (98 KiB); ' +
        'kubectl apply is limited to 256 KiB: use kubectl apply --server-side, or --max-description-length 200, ' +
        'maxDescriptionLength in @Kind or @Schema, or preserveUnknownFields',
    ]);
  });

  test('a definition too large for etcd is an error', () => {
    expect(() => warningsOf(1500)).toThrow('Big: the CustomResourceDefinition has');
  });

  test('a CustomResourceDefinition is small enough with shortened or without descriptions', () => {
    expect(warningsOf(1500, 300)).toEqual([]);
    const sources = [{ model: modelWith(1), sourceFile: 'big.ts' }];
    const [crd] = generateManifests(sources, { maxDescriptionLength: 0 }).filter(({ path }) => path.startsWith('apps'));
    expect(crd!.content).not.toContain('description:');
  });

  test('a chart that is too large for the Secret of its release causes a warning', () => {
    const warnings: string[] = [];
    const texts = Array.from({ length: 9 }, (_, kind) =>
      Array.from({ length: 16_000 }, (__, index) =>
        createHash('sha256').update(`${kind} ${index}`).digest('hex').slice(0, 10),
      ).join(' '),
    );
    const models = texts.map((text, index) => {
      class Spec {
        @Field(text) much!: string;
      }
      @Kind({ group: 'apps.example.com', version: 'v1', kind: `Big${index}`, plural: `big${index}` })
      class Big extends Sound {
        @Field() spec!: Spec;
      }
      return buildResourceModels([Big])[0]!;
    });
    const warn = (message: string) => void warnings.push(message);
    generateManifests(
      models.map((model) => ({ model, sourceFile: 'big.ts' })),
      { layout: 'helm', warn },
    );
    expect(warnings).toContainEqual(
      expect.stringMatching(/^the chart of big needs about \d{4} KiB in the Secret of its release/),
    );
  });
});
