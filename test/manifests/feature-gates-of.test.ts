import { describe, expect, test } from '@jest/globals';
import { checkFeatureGates, featureGatesOf, featureGatesText } from '../../src/manifests/feature-gates-of.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import { Controller } from '../../src/resource/decorators/controller.js';
import { Field } from '../../src/resource/decorators/field.js';
import { Kind } from '../../src/resource/decorators/kind.js';
import { Rbac } from '../../src/resource/decorators/rbac.js';
import type { FeatureGate } from '../../src/resource/feature-gates.js';
import { Sound } from '../resource/mistakes/classes.js';

const BACKUPS: FeatureGate = { name: 'Backups', stage: 'alpha' };
const STABLE: FeatureGate = { name: 'Stable', stage: 'ga' };
const CODE: FeatureGate = { name: 'CodeOnly', stage: 'beta' };

class PodSetSpec {
  @Field({ gate: STABLE, type: 'string' }) zone!: string;
}

@Kind({ group: 'apps.example.com', version: 'v1' })
@Controller({ featureGates: [CODE] })
@Rbac({ urls: ['/metrics'], gate: BACKUPS }, 'get')
class PodSet extends Sound {
  @Field() spec!: PodSetSpec;
}

const named = (gate: unknown) => {
  @Kind({ group: 'apps.example.com', version: 'v1' })
  @Controller({ featureGates: [gate as FeatureGate] })
  class Named extends Sound {}
  return Named;
};

describe('the feature gates of classes', () => {
  test('gates of decorators, of the classes of fields and of the code are found, also disabled ones', () => {
    expect(featureGatesOf(buildResourceModels([PodSet]))).toEqual([BACKUPS, CODE, STABLE]);
  });

  test.each([
    [{ name: 'backups', stage: 'alpha' }, 'feature gate "backups" has an invalid name'],
    [{ name: 'AllAlpha', stage: 'alpha' }, 'feature gate "AllAlpha" has an invalid name'],
    [{ name: 'Backups', stage: 'stable' }, 'feature gate Backups has the unknown stage "stable"'],
  ])('the gate %j is an error', (gate, message) => {
    expect(() => featureGatesOf(buildResourceModels([named(gate)]))).toThrow(message);
  });

  test('one gate with two stages is an error', () => {
    const models = [PodSet, named({ name: 'Backups', stage: 'beta' })].flatMap((each) => buildResourceModels([each]));
    expect(() => featureGatesOf(models)).toThrow('feature gate Backups has the stages alpha and beta');
  });
});

describe('states of feature gates', () => {
  const gates = [BACKUPS, CODE, STABLE];

  test.each([
    [{ Backups: true, AllBeta: false }, []],
    [{ Stable: true }, ['feature gate Stable is ga, so that Stable=true has no effect; remove it']],
  ])('the states %j give the warnings %j', (given, warnings) => {
    expect(checkFeatureGates(given, gates)).toEqual(warnings);
  });

  test.each([
    [{ Backup: true }, 'unknown feature gate Backup', 'did you mean Backups?'],
    [{ Quotas: true }, 'unknown feature gate Quotas', 'the gates are Backups, CodeOnly, Stable'],
    [{ Stable: false }, 'feature gate Stable is ga, and locked to true', 'remove Stable=false; the feature is stable'],
  ])('the states %j are an error', (given, message, hint) => {
    expect(() => checkFeatureGates(given, gates)).toThrow(expect.objectContaining({ message, hint }));
  });

  test('the text of states contains those of known gates', () => {
    expect(featureGatesText({ Other: true, CodeOnly: false, AllAlpha: true }, gates)).toBe(
      'AllAlpha=true,CodeOnly=false',
    );
  });
});
