import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  initialAuthority,
  parseSharedAuthority,
} from '../../../../src/manager/webhooks/certificates/shared-authority.js';
import { CertificateWorld } from './certificate-world.js';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;
const REPLICAS = 2;
const none = () => 0;

/** The replicas of an operator that serve, with an authority of the given age. */
async function servingWorld(ageMs: number, latency = none, lag = none): Promise<CertificateWorld> {
  const world = new CertificateWorld(0, latency, lag);
  world.setSecret(initialAuthority('', world.clock.now() - ageMs));
  for (let index = 0; index < REPLICAS; index++) world.start(index);
  await advanceUntil(world, () => world.isReady);
  await world.clock.advance(40 * SECOND);
  return world;
}

async function advanceUntil(world: CertificateWorld, condition: () => boolean): Promise<void> {
  for (let round = 0; !condition(); round++) {
    if (round > 2000) throw new Error(`not reached; the Secret holds ${Object.keys(world.secret).join(', ')}`);
    await world.clock.advance(SECOND);
  }
}

/** Lets time pass until the rotation is complete; certificates are renewed on the way. */
async function completeRotation(world: CertificateWorld, former: string | undefined): Promise<void> {
  const isComplete = () => {
    const { 'ca.crt': signing, 'next-ca.crt': next, 'previous-ca.crt': previous } = world.secret;
    return signing !== undefined && signing !== former && next === undefined && previous === undefined;
  };
  for (let days = 0; !isComplete(); days++) {
    if (days > 20) throw new Error(`not complete; the Secret holds ${Object.keys(world.secret).join(', ')}`);
    await world.jump(2 * DAY);
    await world.clock.advance(140 * SECOND);
  }
  await advanceUntil(world, () => world.isReady && world.bundles().length === 1);
}

describe('the authority of an operator that starts for the first time', () => {
  test('racing replicas create one authority, and serve certificates that API servers trust', async () => {
    const world = new CertificateWorld(5, none, none);
    await advanceUntil(world, () => world.isReady);
    expect(world.bundles()).toEqual([world.secret['ca.crt']]);
    expect(Object.keys(world.secret)).toEqual(['ca.crt', 'ca.key']);
    expect(world.violations).toEqual([]);
    const { writes } = world;
    await world.clock.advance(10 * 60 * SECOND);
    expect(world.writes).toBe(writes);
  });

  test('certificates of another program stay trusted until all replicas serve their own', async () => {
    const other = new CertificateWorld(1, none, none);
    await advanceUntil(other, () => other.isReady);
    const [trusted = ''] = other.bundles();
    const state = initialAuthority(trusted, other.clock.now());
    expect(state.signing).toBeUndefined();
    other.kill(0);
    other.setSecret({});
    other.start(1);
    await other.clock.advance(30 * SECOND);
    expect(other.bundles()[0]).toContain(trusted.trim());
    expect(other.replicas[1]?.served).toBeUndefined();
    await advanceUntil(other, () => other.replicas[1]!.issuer.isReady);
    expect(other.bundles()[0]).toContain(trusted.trim());
  });
});

test('an authority is replaced before it expires, and removed after its last certificate has expired', async () => {
  const world = await servingWorld(240 * DAY);
  const former = world.secret['ca.crt'];
  const secrets: string[] = [];
  for (let hours = 0; hours < 14 * 24; hours += 6) {
    await world.jump(6 * HOUR);
    await world.clock.advance(120 * SECOND);
    const keys = Object.keys(world.secret).join(' ');
    if (keys !== secrets.at(-1)) secrets.push(keys);
    expect(world.hasValidCertificates()).toBe(true);
  }
  expect(secrets).toEqual(['ca.crt ca.key', 'ca.crt ca.key previous-ca.crt previous-ca.until', 'ca.crt ca.key']);
  expect(world.bundles()).toEqual([world.secret['ca.crt']]);
  expect(world.secret['ca.crt']).not.toBe(former);
  expect(world.violations).toEqual([]);
});

test('a replica that was killed after any write of a rotation leaves it to the others (W14)', async () => {
  const whole = await servingWorld(244 * DAY);
  await completeRotation(whole, whole.secret['ca.crt']);
  expect(whole.writes).toBeGreaterThan(8);
  for (const isRestarted of [true, false]) {
    for (let write = 1; write <= whole.writes; write++) {
      const world = new CertificateWorld(0, none, () => 20 * SECOND);
      world.crashAfter = new Set([write]);
      const killed: number[] = [];
      world.onCrash = (index) => killed.push(index);
      world.setSecret(initialAuthority('', world.clock.now() - 244 * DAY));
      const former = world.secret['ca.crt'];
      world.start(0);
      world.start(1);
      await world.clock.advance(140 * SECOND);
      if (isRestarted) for (const index of killed.splice(0)) world.start(index);
      else
        world.replicas.splice(0, world.replicas.length, ...world.replicas.filter(({ stop }) => !stop.signal.aborted));
      await completeRotation(world, former);
      expect({ write, violations: world.violations, owned: world.owned() }).toEqual({
        write,
        violations: [],
        owned: [],
      });
    }
  }
});

test('replicas that write at the same instants rotate the authority together, without a rejected certificate (W13)', async () => {
  for (const latencyMs of [0, 1, 150]) {
    const world = new CertificateWorld(
      0,
      () => latencyMs,
      () => 20 * SECOND,
    );
    world.setSecret(initialAuthority('', world.clock.now() - 244 * DAY));
    const former = world.secret['ca.crt'];
    for (let index = 0; index < 5; index++) world.start(index);
    await world.clock.advance(140 * SECOND);
    await completeRotation(world, former);
    expect(world.violations).toEqual([]);
    expect(world.bundles()).toEqual([world.secret['ca.crt']]);
  }
});

test('no certificate that is served is ever rejected, whatever happens during a rotation', async () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ advance: fc.integer({ min: 1, max: 120 }) }) },
    { weight: 2, arbitrary: fc.record({ jumpHours: fc.integer({ min: 1, max: 40 }) }) },
    { weight: 2, arbitrary: fc.record({ crash: fc.nat(REPLICAS - 1) }) },
    { weight: 1, arbitrary: fc.record({ wipe: fc.nat(2) }) },
    { weight: 1, arbitrary: fc.constant({ emptySecret: true }) },
  );
  const property = fc.asyncProperty(
    fc.array(step, { maxLength: 12 }),
    fc.array(fc.integer({ min: 0, max: SECOND }), { minLength: 1, maxLength: 20 }),
    fc.array(fc.integer({ min: 0, max: 30 * SECOND }), { minLength: 1, maxLength: 10 }),
    fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: 4 }),
    async (steps, latencies, lags, crashes) => {
      const cycle = (values: readonly number[]) => {
        let index = 0;
        return () => values[index++ % values.length] ?? 0;
      };
      const world = await servingWorld(243 * DAY, cycle(latencies), cycle(lags));
      const former = world.secret['ca.crt'];
      world.writes = 0;
      world.crashAfter = new Set(crashes);
      const restart = (index: number) => world.clock.schedule(15 * SECOND, () => world.start(index));
      world.onCrash = restart;
      for (const each of steps) {
        if ('advance' in each) await world.clock.advance(each.advance * SECOND);
        else if ('jumpHours' in each) await world.jump(each.jumpHours * HOUR);
        else if ('wipe' in each) world.wipe(each.wipe);
        else if ('emptySecret' in each) world.setSecret({});
        else if (!world.replicas[each.crash]!.stop.signal.aborted) {
          world.kill(each.crash);
          restart(each.crash);
        }
      }
      expect(world.violations).toEqual([]);
      await world.clock.advance(60 * SECOND);
      await completeRotation(world, former);
      expect(world.violations).toEqual([]);
      expect(world.bundles()).toEqual([world.secret['ca.crt']]);
    },
  );
  await fc.assert(property, { numRuns: 40 });
});

describe('a Secret that was changed by hand', () => {
  test('a Secret that was emptied by hand is restored', async () => {
    const world = await servingWorld(0);
    const before = world.secret;
    world.setSecret({});
    await world.clock.advance(20 * SECOND);
    expect(world.secret).toEqual(before);
    expect(world.violations).toEqual([]);
  });

  test('a Secret that was damaged by hand is left unchanged, and the former certificate stays in use', async () => {
    const world = await servingWorld(0);
    const served = world.replicas.map((replica) => replica.served);
    world.setSecret({ 'ca.crt': 'garbage', 'ca.key': 'garbage' });
    await world.clock.advance(60 * SECOND);
    expect(world.secret).toEqual({ 'ca.crt': 'garbage', 'ca.key': 'garbage' });
    expect(world.replicas.map((replica) => replica.served)).toEqual(served);
    world.deleteSecret();
    await world.clock.advance(60 * SECOND);
    expect(world.isReady).toBe(true);
  });

  test.each([
    [{ 'tls.crt': 'x' }, 'it contains neither ca.crt nor next-ca.crt'],
    [{ 'ca.crt': 'x', 'ca.key': 'y' }, 'ca.crt or ca.key is invalid'],
  ])('a damaged Secret is reported: %j', (data, message) => {
    expect(() => parseSharedAuthority(data as unknown as Record<string, string>)).toThrow(message);
  });
});

describe('without a usable Secret', () => {
  const REPORT = 'Cannot maintain the certificate of the webhooks';

  test.each([
    ['deleted', (world: CertificateWorld) => world.deleteSecret()],
    ['damaged', (world: CertificateWorld) => world.setSecret({ 'ca.crt': 'garbage', 'ca.key': 'garbage' })],
    [
      'emptied and read-only',
      (world: CertificateWorld) => {
        world.setSecret({});
        world.forbidden = ['Secret'];
      },
    ],
  ])(
    'certificates are renewed while the Secret is %s, and the error is logged again each hour (W16)',
    async (_, harm) => {
      const world = await servingWorld(0);
      const [bundle] = world.bundles();
      harm(world);
      for (let days = 0; days < 30; days++) {
        await world.jump(DAY);
        await world.clock.advance(60 * SECOND);
        expect({ days, isValid: world.hasValidCertificates(), isReady: world.isReady }).toEqual({
          days,
          isValid: true,
          isReady: true,
        });
      }
      world.wipe(1);
      await world.clock.advance(2 * SECOND);
      expect(world.bundles()).toEqual([bundle]);
      expect(world.violations).toEqual([]);
      const reports = () => world.logger.messages().filter((message) => message === REPORT).length;
      const before = reports();
      await world.clock.advance(3 * HOUR);
      expect(reports() - before).toBe(3 * REPLICAS);
    },
  );

  test('a replica is not ready after its certificate has expired', async () => {
    const world = await servingWorld(0);
    world.deleteSecret();
    await world.jump(366 * DAY);
    await world.clock.advance(60 * SECOND);
    expect(world.isReady).toBe(false);
  });
});

test('a replica stays ready while its caBundle is removed and it sets it again', async () => {
  const world = await servingWorld(0);
  for (let round = 0; round < 120; round++) {
    world.wipe(round);
    await world.clock.advance(SECOND);
    expect(world.isReady).toBe(true);
  }
});

test('a replica is not ready when it cannot set a missing caBundle', async () => {
  const world = await servingWorld(0);
  world.forbidden = ['ValidatingWebhookConfiguration'];
  world.wipe(1);
  await world.clock.advance(50 * SECOND);
  expect(world.isReady).toBe(true);
  await world.clock.advance(20 * SECOND);
  expect(world.isReady).toBe(false);
  world.forbidden = [];
  await world.clock.advance(20 * SECOND);
  expect(world.isReady).toBe(true);
});

test('a caBundle that was wiped is set again immediately, and nothing is written while nothing changes (W15)', async () => {
  const world = await servingWorld(0);
  const { writes } = world;
  world.wipe(0);
  await world.clock.advance(2 * SECOND);
  expect(world.bundles()).toEqual([world.secret['ca.crt']]);
  expect(world.writes).toBeLessThanOrEqual(writes + 4);
});

test('after 400 days without power, a valid certificate is served within a minute (W16)', async () => {
  const world = await servingWorld(0);
  await world.jump(400 * DAY);
  expect(world.hasValidCertificates()).toBe(false);
  await world.clock.advance(60 * SECOND);
  expect(world.hasValidCertificates()).toBe(true);
  expect(world.bundles()).toHaveLength(1);
});

test('an authority that a clock ahead of time created is replaced within two minutes after the clock is right', async () => {
  const world = new CertificateWorld(0, none, none);
  const { signing } = initialAuthority('', world.clock.now() + 5 * HOUR);
  const { signing: earlier } = initialAuthority('', world.clock.now());
  const previous = { certPem: earlier!.certPem, untilMs: world.clock.now() + 7 * DAY };
  world.setSecret({ ...(signing && { signing }), previous });
  world.start(0);
  await world.clock.advance(120 * SECOND);
  expect(world.isReady).toBe(true);
  expect(world.hasValidCertificates()).toBe(true);
  expect(world.logger.messages('warn')).toEqual(['The authority of the webhooks is not valid yet and is replaced']);
});

test('an authority that a jump of the clock created never signs while it is not valid', async () => {
  const world = await servingWorld(0);
  await world.jump(300 * DAY);
  await world.clock.advance(30 * SECOND);
  expect(Object.keys(world.secret)).toContain('next-ca.crt');
  await world.jump(-300 * DAY);
  for (let minute = 0; minute < 5; minute++) {
    await world.clock.advance(60 * SECOND);
    expect(world.hasValidCertificates()).toBe(true);
  }
  expect(world.isReady).toBe(true);
});
