import { describe, expect, test } from '@jest/globals';
import {
  Admission,
  Client,
  ConfigMap,
  Controller,
  CustomResource,
  Field,
  Inject,
  Kind,
  Manager,
  ObjectController,
  Source,
  Validate,
} from 'kindwright';
import { OperatorError } from '../../src/base/operator-error.js';
import { probes } from '../../src/manager/health/probes.js';

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

@Controller({ for: ConfigMap, name: 'other' })
class Other extends ObjectController<ConfigMap> {
  reconcile(): void {
    return undefined;
  }
}

@Controller({ for: ConfigMap })
class Hooked extends ObjectController<ConfigMap> {
  static onStart(): void {
    return undefined;
  }
  reconcile(): void {
    return undefined;
  }
}

@Admission(ConfigMap)
class Validated {
  @Validate()
  accept(): void {
    return undefined;
  }
}

@Controller({ for: ConfigMap })
class Pushed extends ObjectController<ConfigMap> {
  @Source({ path: '/push', auth: { bearer: { env: 'TOKEN' } } })
  static push(): string[] {
    return [];
  }
  reconcile(): void {
    return undefined;
  }
}

class Clock {}

@Controller({ for: ConfigMap })
class Injected extends ObjectController<ConfigMap> {
  @Inject(Clock) clock!: Clock;
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
  test('a manager refuses two controllers of one name', () => {
    expect(() => manager().add(One).add(Two)).toThrow('the controllers of Two and One have the same name one');
  });

  test('a manager refuses two controllers of one kind', () => {
    expect(() => manager().add(One).add(Same)).toThrow(/Same and One are of the same kind/);
  });

  test('a manager refuses a class without @Kind', () => {
    expect(() => manager().add(Unreconciled as unknown as typeof One)).toThrow(
      'Unreconciled has no reconcile method to run',
    );
    expect(() => manager().add(Unannotated)).toThrow(/Unannotated.*has no @Kind/s);
  });

  test('a manager without controllers does not start', async () => {
    await expect(manager().run(stopped)).rejects.toMatchObject({ code: 'E_MANAGER', hint: 'manager.add(PodSet)' });
  });

  test('a manager runs once, and accepts no controllers afterwards', async () => {
    const once = manager().add(One);
    await once.run(stopped);
    await expect(once.run(stopped)).rejects.toThrow('a manager runs once');
    expect(() => once.add(Two)).toThrow(/cannot be added/);
  });

  test('a class is removed once, and only after it was added', async () => {
    const one = manager().add(One);
    await expect(one.remove(Two)).rejects.toThrow('Two is not a class of this manager');
    await one.remove(One);
    await expect(one.remove(One)).rejects.toMatchObject({ code: 'E_MANAGER' });
    one.add(Two).add(Other);
  });

  test.each([
    ['onStart, which runs at the start of the manager', Hooked],
    ['@Validate, which is served from the start of the manager', Validated],
    ['@Source with a path, which is served from the start of the manager', Pushed],
    ['nothing is provided for Clock', Injected],
  ])('a running manager refuses a class with %s', async (problem, target) => {
    const stopping = new AbortController();
    const running = manager({ preflight: false }).add(One);
    const ended = running.run(stopping.signal);
    await new Promise(setImmediate);
    expect(() => running.add(target)).toThrow(problem);
    stopping.abort(new Error('stopped'));
    await ended;
  });

  test('a running manager refuses to remove a class with webhooks, and a controller if it started without one', async () => {
    const stopping = new AbortController();
    const running = manager().add(Validated);
    const ended = running.run(stopping.signal);
    await new Promise(setImmediate);
    await expect(running.remove(Validated)).rejects.toThrow('API servers call its webhooks');
    expect(() => running.add(Other)).toThrow('the manager was started without a controller');
    stopping.abort(new Error('stopped'));
    await ended;
  });

  test('a manager refuses to serve metrics and probes at one address', async () => {
    const address = '127.0.0.1:65535';
    const both = manager({ metricsBindAddress: address, healthProbeBindAddress: address }).add(One);
    await expect(both.run(stopped)).rejects.toThrow(/cannot both be served/);
  });

  test('an address that cannot be served is an error at the start', async () => {
    await expect(manager({ healthProbeBindAddress: '8081' }).add(One).run(stopped)).rejects.toThrow(/is not host:port/);
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

  test('a process with webhooks is ready when they are served, and lists its caches on request', () => {
    const ready = (isReady: boolean) => probes(() => [informer(false)], { isReady })['/readyz'];
    expect(ready(true)?.({ url: '/readyz' })).toEqual({ status: 200, text: 'ok\n' });
    expect(ready(true)?.({ url: '/readyz?verbose' })).toEqual({
      status: 200,
      text: 'the cache of podsets.apps.jicki.cn in namespace team has not synced\nok\n',
    });
    expect(ready(false)?.({ url: '/readyz' })).toMatchObject({ status: 503 });
  });

  test.each([
    ['its last error', new OperatorError('refused', { code: 'E_TEST' }), 'refused'],
    [
      'the class of another error, which can contain a secret',
      new TypeError('s3cret'),
      'TypeError: see the log of the operator',
    ],
  ])('the readiness probe names the cache that has not synced and %s', (_, error, text) => {
    expect(probes(() => [informer(true), informer(false, error)])['/readyz']?.({ url: '/' })).toEqual({
      status: 503,
      text: `the cache of podsets.apps.jicki.cn in namespace team has not synced: ${text}\n`,
    });
  });
});
