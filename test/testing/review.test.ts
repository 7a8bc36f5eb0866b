import { describe, expect, test } from '@jest/globals';
import { ConfigMap, CustomResource, Field, Inject, Kind, Mutate, Review, Validate } from 'kindwright';
import { review, startCluster } from 'kindwright/testing';

class Limits {
  constructor(readonly most: number) {}
}

class Spec {
  @Field({ format: 'int32' }) size!: number;
  @Field({ optional: true }) zone?: string;
  @Field({ items: String, optional: true }) tags?: string[];
}

@Kind({ group: 'apps.example.com', version: 'v1' })
class PodSet extends CustomResource {
  @Field() spec!: Spec;
  @Inject(Limits) readonly limits!: Limits;

  static onStart({ provide }: { provide: (token: typeof Limits, value: Limits) => void }): void {
    provide(Limits, new Limits(5));
  }

  reconcile(): void {
    return undefined;
  }

  @Mutate() async fill(request: Review<PodSet>): Promise<void> {
    this.spec.zone ??= (await request.get(ConfigMap, 'zones'))?.data?.['default'] ?? 'a';
  }

  @Validate() check(request: Review<PodSet>): void {
    if (this.spec.size > this.limits.most) request.invalid('spec.size', `must be at most ${this.limits.most}`);
    if (this.spec.zone === 'a') request.warn('zone a is full');
    if (request.old && this.spec.size < request.old.spec.size) request.invalid('spec.size', 'may not shrink');
  }

  @Validate({ on: ['DELETE'] }) keep(request: Review<PodSet>): void {
    if (request.user.username !== 'admin') request.forbidden('is protected');
  }
}

@Kind({ group: 'apps.example.com', version: 'v1' })
class Growing extends CustomResource {
  @Field() spec!: Spec;

  reconcile(): void {
    return undefined;
  }

  @Mutate() fill(): void {
    this.spec.zone ??= 'a';
  }

  @Mutate() tag(): void {
    (this.spec.tags ??= []).push('seen');
  }
}

const provide = [[Limits, new Limits(3)]] as const;
const podSet = (size: number, zone?: string) => ({ metadata: { name: 'a' }, spec: { size, ...(zone && { zone }) } });

describe('review', () => {
  test('review returns the object as it would be stored, with warnings and the patch', async () => {
    expect(await review(PodSet, { object: podSet(1), provide })).toEqual({
      allowed: true,
      object: { apiVersion: 'apps.example.com/v1', kind: 'PodSet', ...podSet(1, 'a') },
      message: undefined,
      causes: [],
      warnings: ['zone a is full'],
      patch: [{ op: 'add', path: '/spec/zone', value: 'a' }],
    });
  });

  test('review returns the causes of a rejection', async () => {
    const { allowed, message, causes } = await review(PodSet, { object: podSet(4), old: podSet(5), provide });
    expect([allowed, causes]).toEqual([
      false,
      [
        { field: 'spec.size', message: 'must be at most 3' },
        { field: 'spec.size', message: 'may not shrink' },
      ],
    ]);
    expect(message).toMatch(/^PodSet\.apps\.example\.com "a" is invalid: \[/);
  });

  test('review reviews deletions by a user', async () => {
    const deletion = { operation: 'DELETE', old: podSet(1), provide } as const;
    expect(await review(PodSet, deletion)).toMatchObject({ allowed: false, causes: [] });
    expect(await review(PodSet, { ...deletion, user: { username: 'admin' } })).toMatchObject({ allowed: true });
  });

  test('review reads the given objects', async () => {
    const metadata = { name: 'zones', namespace: 'default' };
    const objects = [{ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { default: 'b' } }];
    expect((await review(PodSet, { object: podSet(1), provide, objects })).object.spec.zone).toBe('b');
    expect((await review(PodSet, { object: podSet(1), provide })).object.spec.zone).toBe('a');
  });

  test('review fails with the name of a method that is not idempotent (W6)', async () => {
    await expect(review(Growing, { object: podSet(1) })).rejects.toThrow(
      'Growing.tag: changed /spec/tags when it was called again for its own result',
    );
  });

  test('the error of review lists what is missing', async () => {
    await expect(review(PodSet, { operation: 'UPDATE', object: podSet(1), provide })).rejects.toThrow(
      /UPDATE of PodSet needs old/,
    );
  });
});

test('a write to a test cluster fails with the name of a method that is not idempotent (W6)', async () => {
  await using cluster = await startCluster();
  await cluster.run(Growing, PodSet);
  await expect(
    cluster.create(Growing, { ...podSet(1), metadata: { name: 'a', namespace: 'default' } }),
  ).rejects.toThrow(
    /failed calling webhook "mutate\.growings\.apps\.example\.com".*Growing\.tag: changed \/spec\/tags/,
  );
  const created = { ...podSet(1), metadata: { name: 'a', namespace: 'default' } };
  expect((await cluster.create(PodSet, created)).spec.zone).toBe('a');
  await expect(cluster.create(PodSet, { ...podSet(6), metadata: { name: 'b', namespace: 'default' } })).rejects.toThrow(
    /spec\.size: must be at most 5/,
  );
});
