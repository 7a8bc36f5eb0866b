import { expect, test } from '@jest/globals';
import { generateManifests } from '../../../src/manifests/generate.js';
import { CustomResource } from '../../../src/resource/custom-resource.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { Owns } from '../../../src/resource/decorators/owns.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import type { ResourceClass } from '../../../src/resource/model.js';
import { Deployment } from '../../resource/mistakes/classes.js';

function warningsOf(target: ResourceClass): string[] {
  const warnings: string[] = [];
  const sources = buildResourceModels([target]).map((model) => ({ model, sourceFile: 'gauge.ts' }));
  generateManifests(sources, { warn: (message) => warnings.push(message) });
  return warnings;
}

const identity = { group: 'apps.example.com', version: 'v1', kind: 'Gauge' };

test.each(['reconsile', 'Reconcile', 'reconcil', 'onReconcile'])(
  'a class with %s but no reconcile causes a warning',
  (name) => {
    @Kind(identity)
    abstract class Gauge extends CustomResource {}
    Object.defineProperty(Gauge.prototype, name, { value: () => undefined });
    expect(warningsOf(Gauge)).toEqual([`Gauge.${name}: is never called; rename it if it should be reconcile`]);
  },
);

test('decorators that have no effect without reconcile cause a warning', () => {
  @Kind(identity)
  @Owns(Deployment)
  abstract class Gauge extends CustomResource {}
  expect(warningsOf(Gauge)).toEqual(['Gauge: @Owns has no effect without a reconcile method']);
});

test('a class that only defines its kind causes no warning', () => {
  @Kind(identity)
  abstract class Gauge extends CustomResource {
    format(): string {
      return this.kind;
    }
  }
  expect(warningsOf(Gauge)).toEqual([]);
});
