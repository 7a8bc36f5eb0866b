import { describe, expect, test } from '@jest/globals';
import { CertificateWorld } from './certificate-world.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const none = () => 0;

const FOREIGN = 'authority of another program';
const WARNING = /^Another client changes the caBundle of .* again and again/;

async function servingWorld(replicas = 1): Promise<CertificateWorld> {
  const world = new CertificateWorld(replicas, none, none);
  await world.clock.advance(MINUTE);
  expect(world.isReady).toBe(true);
  return world;
}

/** The number of times that a `caBundle` is set again in a time. */
async function setAgain(world: CertificateWorld, ms: number): Promise<number> {
  const count = () => world.logger.messages().filter((message) => message.startsWith('Set the caBundle')).length;
  const before = count();
  await world.clock.advance(ms);
  return count() - before;
}

const warnings = (world: CertificateWorld) => world.logger.lines.filter(({ level }) => level === 'warn');

describe('while another client replaces the caBundle immediately', () => {
  test.each([
    [0, 'MutatingWebhookConfiguration podset-mutating'],
    [2, 'CustomResourceDefinition podsets.apps.example.com'],
  ])(
    'it is set again at growing intervals, and one warning names the other client: target %j',
    async (target, name) => {
      const world = await servingWorld();
      world.startRival(target, FOREIGN, 'cainjector');
      expect(await setAgain(world, 20 * SECOND)).toBeLessThanOrEqual(6);
      await world.clock.advance(10 * MINUTE);
      const later = await setAgain(world, 20 * MINUTE);
      expect(later).toBeGreaterThanOrEqual(9);
      expect(later).toBeLessThanOrEqual(11);
      expect(warnings(world)).toMatchObject([
        {
          message: expect.stringMatching(WARNING) as unknown,
          fields: { object: name, writer: 'field manager "cainjector"' },
        },
      ]);
      expect(warnings(world)[0]?.fields['hint']).toContain('cert-manager.io/inject-ca-from');
      const [kind = '', objectName = ''] = name.split(' ');
      expect(world.events).toMatchObject([
        {
          component: 'podset',
          about: { kind, name: objectName, namespace: '' },
          type: 'Warning',
          reason: 'ContestedField',
          message: expect.stringMatching(
            /again and again: field manager "cainjector"\. .*cert-manager\.io\/inject-ca-from/,
          ),
        },
      ]);
    },
  );

  test('the replicas together write rarely, and each warns once', async () => {
    const world = await servingWorld(3);
    world.startRival(1, FOREIGN, 'cainjector');
    await world.clock.advance(10 * MINUTE);
    expect(await setAgain(world, 20 * MINUTE)).toBeLessThanOrEqual(33);
    expect(warnings(world)).toHaveLength(3);
  });

  test('pods stay ready for the other webhooks, and a new authority is still created in time', async () => {
    const world = await servingWorld();
    world.startRival(0, FOREIGN, 'cainjector');
    for (let minute = 0; minute < 10; minute++) {
      await world.clock.advance(MINUTE);
      expect(world.isReady).toBe(true);
    }
    await world.jump(300 * 24 * 60 * MINUTE);
    await world.clock.advance(MINUTE);
    expect(Object.keys(world.secret)).toContain('next-ca.crt');
  });

  test('a pod that started in the meantime is not ready before its certificate was trusted', async () => {
    const world = new CertificateWorld(0, none, none);
    world.startRival(0, FOREIGN, 'cainjector');
    world.start(0);
    await world.clock.advance(10 * MINUTE);
    expect(world.isReady).toBe(false);
  });

  test('the caBundle is set within two minutes after the other client has ended', async () => {
    const world = await servingWorld();
    const end = world.startRival(0, FOREIGN, 'cainjector');
    await world.clock.advance(30 * MINUTE);
    end();
    await world.clock.advance(2 * MINUTE + SECOND);
    expect(world.bundles()).toEqual([world.secret['ca.crt']]);
  });

  test('a caBundle that has stayed is set again immediately', async () => {
    const world = await servingWorld();
    const end = world.startRival(0, FOREIGN, 'cainjector');
    await world.clock.advance(30 * MINUTE);
    end();
    await world.clock.advance(3 * MINUTE);
    world.wipe(0);
    await world.clock.advance(SECOND);
    expect(world.bundles()).toEqual([world.secret['ca.crt']]);
    expect(warnings(world)).toHaveLength(1);
  });
});

test.each([
  [
    undefined,
    ['argocd-controller'],
    'a client that removes it; the field managers of the object are argocd-controller',
  ],
  [FOREIGN, [], 'a client that owns no field, such as another installation of the operator'],
])('a client that owns no caBundle is described: %j, %j', async (bundle, managers, writer) => {
  const world = await servingWorld();
  world.startRival(0, bundle, ...managers);
  await world.clock.advance(MINUTE);
  expect(warnings(world)).toMatchObject([{ fields: { writer } }]);
});

test('a client that reverts every three minutes is named, and its changes are reverted immediately', async () => {
  const world = await servingWorld();
  for (let round = 0; round < 10; round++) {
    world.wipe(0);
    await world.clock.advance(SECOND);
    expect(world.bundles()).toEqual([world.secret['ca.crt']]);
    await world.clock.advance(3 * MINUTE);
  }
  expect(warnings(world)).toHaveLength(1);
});

test('changes that are hours apart are set again without a warning', async () => {
  const world = await servingWorld();
  for (let round = 0; round < 6; round++) {
    world.wipe(0);
    await world.clock.advance(61 * MINUTE);
  }
  expect(warnings(world)).toEqual([]);
});

test('the Secret is restored at growing intervals with the same authority while another client empties it', async () => {
  const world = await servingWorld();
  const { 'ca.crt': authority } = world.secret;
  const end = world.startEmptying();
  await world.clock.advance(10 * MINUTE);
  const { writes } = world;
  await world.clock.advance(20 * MINUTE);
  expect(world.writes - writes).toBeLessThanOrEqual(11);
  expect(warnings(world)).toMatchObject([{ fields: { object: 'Secret system/podset-webhook-ca' } }]);
  end();
  await world.clock.advance(2 * MINUTE + SECOND);
  expect(world.secret['ca.crt']).toBe(authority);
  expect(world.bundles()).toEqual([authority]);
});
