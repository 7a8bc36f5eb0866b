import { describe, expect, test } from '@jest/globals';
import { ConfigMap, Secret } from 'kindwright';
import { simulate, SimulationError, type SimulatedWorld, type SimulateOptions } from 'kindwright/testing';
import { PodSet } from '../../operators/podset.js';
import { testBegan, testRun } from '../../src/testing/test-run.js';
import { Gateway as SoundGateway } from '../simulation/mutants/m01-two-secrets.sound.js';
import { Gateway } from '../simulation/mutants/m01-two-secrets.js';

/** Few plans: crashes while one object is created. */
const short: SimulateOptions = {
  schedules: 16,
  only: ['crash'],
  scenario: ({ create }) => {
    create(Gateway, { metadata: { name: 'a' }, spec: { host: 'a.example.com' } });
  },
};
const plan = 'crash after write';
/** More than a test needs. */
const TEST_MS = 600_000;

describe('simulate', () => {
  test('rejects with the timeline of the smallest failing run, the lines of the class and the command', async () => {
    const error = await simulate(Gateway, { only: ['crash'] }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(SimulationError);
    const { message, plan: found } = error as SimulationError;
    expect(message).toMatch(/^✗ .* Secret gateway-system\/public-tls-internal /);
    expect(message).toMatch(/operator {2}create Secret public-tls +test\/simulation\/mutants\/m01-two-secrets\.ts:29:/);
    expect(message).toContain('← from here every schedule fails');
    expect(message).toMatch(
      /replay {2}npx kindwright simulate test\/simulation\/mutants\/m01-two-secrets\.ts --replay 'crash .*'$/,
    );
    expect(found).toMatchObject({ workload: [{ do: 'create' }], faults: [expect.stringMatching(/^crash .* Secret/)] });
  });

  test('resolves with what it has played if no rule is broken', async () => {
    const sometimes = { 'a Secret exists': ({ list }: SimulatedWorld) => list(Secret).length > 0 };
    const { schedules, hours, neverHappened } = await simulate(SoundGateway, { ...short, sometimes });
    expect(schedules).toBe(16);
    expect(hours).toBeGreaterThan(0);
    expect(neverHappened).toEqual([]);
  });

  test('plays the plan that is given, and names it where the command does not know the actions', async () => {
    const failing = simulate(Gateway, { ...short, plan });
    await expect(failing).rejects.toThrow(/a-tls-internal[^]*create Gateway default\/a {2}\{host: "a\.example\.com"\}/);
    await expect(failing).rejects.toThrow(/replay {2}simulate\(Gateway, \{ …, plan: "crash .*" \}\)$/);
    await expect(simulate(SoundGateway, { ...short, plan })).resolves.toMatchObject({ neverHappened: [] });
  });

  test('reports a plan whose moment does not come any more', async () => {
    const lost = simulate(SoundGateway, { ...short, plan: 'crash after apply ConfigMap default/a' });
    await expect(lost).rejects.toMatchObject({ code: 'E_PLAN' });
  });

  test('reports conditions that do not hold after a change, or at no moment', async () => {
    const always = { 'no Secret is created': ({ list }: SimulatedWorld) => list(Secret).length === 0 };
    await expect(simulate(SoundGateway, { ...short, always })).rejects.toThrow('does not hold: no Secret is created');
    const sometimes = { 'a ConfigMap a exists': ({ list }: SimulatedWorld) => list(ConfigMap).some(isNamedA) };
    const never = simulate(SoundGateway, { ...short, schedules: 4, only: [], sometimes });
    await expect(never).rejects.toThrow(/^in none of 4 runs: a ConfigMap a exists\n/);
  });

  test('fails when the time of the test does not suffice for the schedules', async () => {
    const { limitMs } = testRun();
    testBegan(2000);
    try {
      const tooMany = simulate(SoundGateway, { ...short, schedules: 1_000_000 });
      await expect(tooMany).rejects.toThrow(/^\d+ of 1000000 schedules were played within \d+\.\d s\n/);
    } finally {
      testBegan(limitMs ?? TEST_MS);
    }
  });

  test('rejects an unknown fault, a number of schedules that is not positive, and a class without a module', async () => {
    await expect(simulate(PodSet, { only: ['flood'] })).rejects.toMatchObject({ code: 'E_PLAN' });
    await expect(simulate(PodSet, { schedules: 0 })).rejects.toThrow('schedules 0 is not a positive integer');
    class Nowhere {}
    await expect(simulate(Nowhere)).rejects.toThrow();
  });
});

function isNamedA({ metadata }: { readonly metadata: { readonly name: string } }): boolean {
  return metadata.name === 'a';
}
