import { describe, expect, test } from '@jest/globals';
import { Client, Controller, CustomResource, Field, Kind, Manager } from 'kindwright';
import { defaultLeaseName } from '../../src/manager/create-elector.js';
import { probes } from '../../src/manager/probes.js';

class Spec {
  @Field() value!: string;
}

@Kind({ group: 'test.kindwright.dev', version: 'v1' })
abstract class Unreconciled extends CustomResource {}

@Kind({ group: 'test.kindwright.dev', version: 'v1' })
class One extends CustomResource {
  @Field() spec!: Spec;
  reconcile(): void {
    return undefined;
  }
}

@Kind({ group: 'test.kindwright.dev', version: 'v1' })
@Controller({ name: 'one' })
class Two extends CustomResource {
  @Field() spec!: Spec;
  reconcile(): void {
    return undefined;
  }
}

@Kind({ group: 'test.kindwright.dev', version: 'v1', kind: 'One' })
@Controller({ name: 'other' })
class Same extends CustomResource {
  @Field() spec!: Spec;
  reconcile(): void {
    return undefined;
  }
}

class Unannotated extends CustomResource {
  reconcile(): void {
    return undefined;
  }
}

const server = new URL('http://127.0.0.1:1');
const client = new Client({ server, namespace: undefined, source: 'test', user: 'test' });
const manager = (options = {}) => new Manager({ client, ...options });
const stopped = AbortSignal.abort(new Error('stopped'));

describe('Manager', () => {
  test('refuses two controllers of one name', () => {
    expect(() => manager().add(One).add(Two)).toThrow('the controllers of Two and One have the same name one');
  });

  test('refuses two controllers of one kind', () => {
    expect(() => manager().add(One).add(Same)).toThrow(/Same and One are of the same kind/);
  });

  test('refuses a class without @Kind', () => {
    expect(() => manager().add(Unreconciled as unknown as typeof One)).toThrow('Unreconciled has no reconcile to run');
    expect(() => manager().add(Unannotated)).toThrow(/Unannotated.*has no @Kind/s);
  });

  test('refuses to run nothing', async () => {
    await expect(manager().run(stopped)).rejects.toMatchObject({ code: 'E_MANAGER', hint: 'manager.add(PodSet)' });
  });

  test('runs once, and takes no controller after', async () => {
    const once = manager().add(One);
    await once.run(stopped);
    await expect(once.run(stopped)).rejects.toThrow('a manager runs once');
    expect(() => once.add(Two)).toThrow(/cannot be added/);
  });

  test('refuses to serve metrics and probes at one address', async () => {
    const address = '127.0.0.1:65535';
    const both = manager({ metricsBindAddress: address, healthProbeBindAddress: address }).add(One);
    await expect(both.run(stopped)).rejects.toThrow(/cannot both be served/);
  });

  test('an address that cannot be served is an error at the start', async () => {
    await expect(manager({ healthProbeBindAddress: '8081' }).add(One).run(stopped)).rejects.toThrow(/is not host:port/);
  });
});

describe('defaultLeaseName', () => {
  test('the default lease name does not depend on the order of controllers', () => {
    expect(defaultLeaseName(['podset', 'helloapp'])).toBe('helloapp-podset-leader');
    expect(defaultLeaseName(['helloapp', 'podset'])).toBe('helloapp-podset-leader');
  });

  test('is short enough for any number of controllers', () => {
    const name = defaultLeaseName(Array.from({ length: 99 }, (_, i) => `controller-${String(i)}`));
    expect(name).toMatch(/^(?=.{1,253}$)[a-z0-9-]*-leader$/);
  });
});

describe('probes', () => {
  const kind = {
    group: 'apps.jicki.cn',
    version: 'v1',
    kind: 'PodSet',
    plural: 'podsets',
    scope: 'Namespaced',
  } as const;
  const informer = (hasSynced: boolean, lastError?: Error) => ({ kind, namespace: 'team', hasSynced, lastError });

  test('the health probe does not depend on caches', () => {
    expect(probes(() => [informer(false)])['/healthz']?.({ url: '/' })).toMatchObject({ status: 200 });
  });

  test('the process is ready when every cache has synced', () => {
    expect(probes(() => [informer(true), informer(true)])['/readyz']?.({ url: '/' })).toMatchObject({ status: 200 });
  });

  test('with webhooks it is ready when they are served, and lists its caches on request', () => {
    const ready = (isReady: boolean) => probes(() => [informer(false)], { isReady })['/readyz'];
    expect(ready(true)?.({ url: '/readyz' })).toEqual({ status: 200, text: 'ok\n' });
    expect(ready(true)?.({ url: '/readyz?verbose' })).toEqual({
      status: 200,
      text: 'the cache of podsets.apps.jicki.cn in namespace team has not synced\nok\n',
    });
    expect(ready(false)?.({ url: '/readyz' })).toMatchObject({ status: 503 });
  });

  test('the readiness probe names the cache that has not synced and its last error', () => {
    expect(probes(() => [informer(true), informer(false, new Error('refused'))])['/readyz']?.({ url: '/' })).toEqual({
      status: 503,
      text: 'the cache of podsets.apps.jicki.cn in namespace team has not synced: refused\n',
    });
  });
});
