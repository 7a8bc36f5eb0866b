import { describe, expect, test } from '@jest/globals';
import {
  ConfigMap,
  Controller,
  CustomResource,
  Deployment,
  Field,
  Inject,
  Kind,
  Mutate,
  ObjectController,
  Owns,
  Service,
  Watches,
  type KindLike,
} from 'kindwright';
import { changedWatches, planReload } from '../../../src/cli/reload/plan-reload.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import type { ResourceModel } from '../../../src/resource/model.js';

class Database {}
class OtherDatabase {}

interface Variant {
  readonly owns?: readonly KindLike[];
  readonly name?: string;
  readonly hooks?: readonly string[];
  readonly token?: new () => object;
  readonly onStart?: true;
}

/** Another version of one class, as it is after its file was loaded again. */
function gauge({ owns = [], name = 'gauge', hooks = [], token, onStart }: Variant = {}): ResourceModel {
  @Kind({ group: 'demo.example.com', version: 'v1' })
  @Controller({ name })
  class Gauge extends CustomResource {
    @Field({ type: 'string', optional: true }) label?: string;
    reconcile(): void {}
    set(): void {}
  }
  for (const kind of owns) Owns(kind)(Gauge);
  for (const operation of hooks) Mutate({ on: [operation as 'CREATE'] })(Gauge.prototype, 'set', descriptor(Gauge));
  if (token) Inject(token)(Gauge.prototype, 'database');
  if (onStart) Object.assign(Gauge, { onStart: () => undefined });
  return buildResourceModels([Gauge])[0]!;
}

function descriptor(target: { readonly prototype: object }): PropertyDescriptor {
  return Object.getOwnPropertyDescriptor(target.prototype, 'set')!;
}

function labels(): ResourceModel {
  @Controller({ for: Service })
  @Watches(ConfigMap, () => [])
  class Labels extends ObjectController<Service> {
    reconcile(): void {}
  }
  return buildResourceModels([Labels])[0]!;
}

describe('planReload', () => {
  test('a class that was not loaded again stays', () => {
    const model = gauge();
    const copy = { ...model };
    expect(planReload([model], [copy], false)).toEqual({ added: [], removed: [], replaced: [], restart: undefined });
  });

  test('a class of the same kind is replaced, with other watches too', () => {
    const [previous, next] = [gauge({ owns: [Deployment] }), gauge({ owns: [Service] })];
    const plan = planReload([previous], [next], true);
    expect(plan).toEqual({ added: [], removed: [], replaced: [{ previous, next }], restart: undefined });
    expect(changedWatches(plan.replaced[0]!)).toEqual(['watches Service', 'no longer watches Deployment']);
  });

  test('classes are added and removed, and those with another controller name are both', () => {
    const [before, after, other] = [gauge(), gauge({ name: 'meter' }), labels()];
    expect(planReload([before], [before, other], false)).toMatchObject({ added: [other], removed: [], replaced: [] });
    expect(planReload([before, other], [before], false)).toMatchObject({ added: [], removed: [other] });
    expect(planReload([before], [after], false)).toMatchObject({ added: [after], removed: [before], replaced: [] });
  });

  test.each<[string, Variant, Variant, string | undefined]>([
    ['onStart', { onStart: true }, { onStart: true }, 'Gauge has onStart'],
    ['other webhooks', { hooks: ['CREATE'] }, { hooks: ['UPDATE'] }, 'Gauge has other webhooks'],
    ['the same webhooks', { hooks: ['CREATE'] }, { hooks: ['CREATE'] }, undefined],
    [
      'another injected class',
      { token: Database },
      { token: OtherDatabase },
      'Gauge has another class for @Inject database',
    ],
    ['the same injected class', { token: Database }, { token: Database }, undefined],
  ])('a class with %s', (_, before, after, reason) => {
    expect(planReload([gauge(before)], [gauge(after)], false).restart).toBe(reason);
  });

  test('with a lease, a class that is added or removed needs a restart', () => {
    expect(planReload([gauge()], [labels()], true).restart).toBe('Labels is part of the name of the lease');
  });
});
