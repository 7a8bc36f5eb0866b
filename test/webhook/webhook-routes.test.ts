import { describe, expect, test } from '@jest/globals';
import { Pod } from '../../src/api/kinds/kinds.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import { Admission } from '../../src/resource/decorators/admission.js';
import { ConvertsTo } from '../../src/resource/decorators/converts-to.js';
import { Field } from '../../src/resource/decorators/field.js';
import { Kind } from '../../src/resource/decorators/kind.js';
import { Mutate } from '../../src/resource/decorators/mutate.js';
import { Validate } from '../../src/resource/decorators/validate.js';
import type { WebhookOptions } from '../../src/resource/decorators/webhook-method.js';
import { CustomResource } from '../../src/resource/custom-resource.js';
import { kindConversionOf } from '../../src/resource/conversion/kind-conversion-of.js';
import type { Review } from '../../src/resource/review.js';
import { move } from '../../src/resource/decorators/conversion-step.js';
import { ProvidedValues } from '../../src/resource/provided-values.js';
import { silentLogger } from '../../src/base/logger.js';
import { parseJson } from '../../src/base/json.js';
import { reviewRequest } from '../../src/webhook/review-request.js';
import { WebhookRoutes } from '../../src/webhook/webhook-routes.js';
import { Sized } from './pod-set.js';
import { creation, noReader, webhookOf } from './reviewed-kind.js';

type Target = abstract new () => object;

function release(...targets: readonly Target[]) {
  const models = buildResourceModels(targets);
  const provided = new ProvidedValues();
  const webhooks = models.flatMap((model) => model.webhooks.map((webhook) => ({ model, webhook, provided })));
  const routes = new WebhookRoutes(webhooks);
  return {
    names: webhooks.map(({ webhook }) => webhook.name),
    paths: webhooks.map(({ webhook }) => webhook.path),
    /** The methods that are called for requests at a path of another release; undefined if none is served there. */
    methods: (path: string | undefined) => routes.find(path ?? '')?.webhook.methods.map(({ method }) => method),
  };
}

/** A class `PodSet` whose methods have these options. */
function podSet(methods: Readonly<Record<string, WebhookOptions>>): Target {
  @Kind({ group: 'apps.example.com', version: 'v1' })
  class PodSet extends Sized {}
  for (const [name, options] of Object.entries(methods)) {
    const check = { value: (): void => undefined };
    Object.defineProperty(PodSet.prototype, name, check);
    Validate(options)(PodSet.prototype, name, check);
  }
  return PodSet;
}

const MATCH_A = { match: 'object.spec.size > 1' };
const MATCH_B = { match: 'object.spec.size > 2' };

describe('webhooks during a rolling update (W20)', () => {
  test('methods can be renamed and change places: names and paths do not depend on them', () => {
    const before = release(podSet({ small: MATCH_A, large: MATCH_B, slow: { timeoutSeconds: 8 }, all: {} }));
    const after = release(podSet({ every: {}, big: MATCH_B, long: { timeoutSeconds: 8 }, little: MATCH_A }));
    expect(after.names.toSorted()).toEqual(before.names.toSorted());
    expect(before.paths.map((path) => after.methods(path))).toEqual([['little'], ['big'], ['long'], ['every']]);
    expect(after.paths.toSorted()).toEqual(before.paths.toSorted());
  });

  test('a filter can be changed: its method is called at the path of the former one, in both directions', () => {
    const before = release(podSet({ check: MATCH_A, all: {} }));
    const after = release(podSet({ check: MATCH_B, all: {} }));
    expect(after.methods(before.paths[0])).toEqual(['check']);
    expect(before.methods(after.paths[0])).toEqual(['check']);
  });

  test('a filter can be added, and removed', () => {
    const without = release(podSet({ check: {} }));
    const filtered = release(podSet({ check: MATCH_A }));
    expect(filtered.methods(without.paths[0])).toEqual(['check']);
    expect(without.methods(filtered.paths[0])).toEqual(['check']);
  });

  test('options can move methods between webhooks: all methods without a filter are called', () => {
    const before = release(podSet({ first: {}, second: { timeoutSeconds: 8 } }));
    const after = release(podSet({ first: { failurePolicy: 'Ignore' }, second: {}, third: MATCH_A }));
    expect(after.methods(before.paths[1])).toEqual(['first', 'second']);
    expect(before.methods(after.paths[0])).toEqual(['first', 'second']);
  });

  test('failurePolicy decides if several filters could be the one of another release', () => {
    const before = release(podSet({ check: { objectSelector: { matchLabels: { a: 'b' } } } }));
    const after = release(podSet({ first: MATCH_A, second: MATCH_B }));
    expect(after.methods(before.paths[0])).toBeUndefined();
  });

  test('a path with a name of its own is that of the name', () => {
    const { names, paths } = release(podSet({ check: { name: 'size.podsets.example.com', ...MATCH_A } }));
    expect([names, paths]).toEqual([['size.podsets.example.com'], ['/validate-size-podsets-example-com']]);
  });

  test('a class with @Admission can be renamed if no other class reviews the kind', () => {
    @Admission(Pod, { allow: 'cluster-wide' })
    class TeamPods {
      @Validate() check(): void {
        return undefined;
      }
    }
    @Admission(Pod, { allow: 'cluster-wide' })
    class SquadPods {
      @Validate() verify(): void {
        return undefined;
      }
    }
    expect(release(SquadPods).methods(release(TeamPods).paths[0])).toEqual(['verify']);
    @Admission(Pod, { allow: 'cluster-wide' })
    class OtherPods extends TeamPods {}
    expect(release(SquadPods, OtherPods).methods(release(TeamPods).paths[0])).toBeUndefined();
  });

  test('paths of other kinds and types are not served', () => {
    const { methods } = release(podSet({ check: {} }));
    for (const path of ['/validate-apps-example-com-podsets', '/mutate-apps-example-com-podset', '/convert', '/'])
      expect(methods(path)).toBeUndefined();
  });
});

describe('a request in another version of the kind', () => {
  class OldSpec {
    @Field({ format: 'int32' }) replicas!: number;
    @Field({ optional: true }) zone?: string;
  }
  class NewSpec {
    @Field({ format: 'int32' }) size!: number;
    @Field({ optional: true }) zone?: string;
  }
  const seen: unknown[] = [];

  @Kind({ group: 'apps.example.com', version: 'v2', kind: 'PodSet', storage: true })
  class PodSet extends CustomResource {
    @Field() spec!: NewSpec;

    @Mutate() fill(): void {
      this.spec.zone ??= 'a';
      this.spec.size += 1;
    }

    @Validate({ on: ['UPDATE'] }) check(review: Review<PodSet>): void {
      seen.push([this.spec.size, review.old?.spec.size]);
    }

    reconcile(): void {
      return undefined;
    }
  }

  @Kind({ group: 'apps.example.com', version: 'v1', kind: 'PodSet' })
  @ConvertsTo(PodSet, [move('spec.replicas', 'spec.size')])
  abstract class PodSetV1 extends CustomResource {
    @Field() spec!: OldSpec;
  }
  const conversion = kindConversionOf(PodSetV1)?.conversion;
  const services = { reader: noReader, log: silentLogger, deadline: new AbortController(), isStrict: true };

  test('objects of an old version in the configuration are converted for the methods, and their changes back (W20)', async () => {
    const { object } = creation({ spec: { replicas: 3, unknown: 'x' } });
    const mutated = await reviewRequest(
      webhookOf(PodSet, 'Mutating'),
      creation(object as object),
      services,
      conversion,
    );
    expect(parseJson(Buffer.from(mutated.patch ?? '', 'base64').toString())).toEqual([
      { op: 'replace', path: '/spec/replicas', value: 4 },
      { op: 'add', path: '/spec/zone', value: 'a' },
    ]);
    const oldObject = creation({ spec: { replicas: 2 } }).object;
    const update = creation(object as object, { operation: 'UPDATE', oldObject });
    expect(await reviewRequest(webhookOf(PodSet, 'Validating'), update, services, conversion)).toMatchObject({
      allowed: true,
    });
    expect(seen).toEqual([[3, 2]]);
  });
});
