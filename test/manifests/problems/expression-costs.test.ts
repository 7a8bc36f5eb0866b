import { expect, test } from '@jest/globals';
import { generateManifests } from '../../../src/manifests/generate.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import { CustomResource } from '../../../src/resource/custom-resource.js';
import { Field } from '../../../src/resource/decorators/field.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { Policy } from '../../../src/resource/decorators/policy.js';
import { Validate } from '../../../src/resource/decorators/validate.js';

const PAIRS = (field: string) => `object.${field}.all(a, object.${field}.exists_one(b, a == b))`;

@Kind({ group: 'apps.example.com', version: 'v1' })
@Policy(PAIRS('names'), 'names must be unique')
@Policy(PAIRS('few'), 'few must be unique')
class Costly extends CustomResource {
  @Field({ items: { type: String, maxLength: 10 } }) names!: string[];
  @Field({ items: { type: String, maxLength: 10 }, maxItems: 10 }) few!: string[];

  reconcile(): void {
    return undefined;
  }
  @Validate({ match: PAIRS('names') }) strict(): void {
    return undefined;
  }
  @Validate({ match: PAIRS('names'), failurePolicy: 'Ignore' }) lax(): void {
    return undefined;
  }
  @Validate({ match: PAIRS('few') }) cheap(): void {
    return undefined;
  }
  @Validate({ match: PAIRS('metadata.finalizers') }) unknown(): void {
    return undefined;
  }
}

test('an expression that may exceed the cost limit of the API server is a warning (G7)', () => {
  const [model] = buildResourceModels([Costly]);
  const warnings: string[] = [];
  generateManifests([{ model: model!, sourceFile: 'costly.ts' }], { warn: (text) => warnings.push(text) });
  const costs = warnings.filter((text) => text.includes('may cost')).map((text) => text.replace(/\d[\d.]*/, 'N'));
  const remedy = 'set maxItems, maxProperties and maxLength of the fields that it reads';
  expect(costs).toEqual([
    `Costly.strict: match may cost up to N times the limit of the API server, which then rejects the request; ${remedy}`,
    `Costly.lax: match may cost up to N times the limit of the API server, which then admits the request unchecked; ${remedy}`,
    `Costly: @Policy: the expression may cost up to N times the limit of the API server, which then rejects the request; ${remedy}`,
  ]);
});
