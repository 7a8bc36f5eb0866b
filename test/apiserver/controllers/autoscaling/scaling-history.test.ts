import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  ScalingHistory,
  type ScalingDecision,
} from '../../../../src/apiserver/controllers/autoscaling/scaling-history.js';

const MINUTE = 60_000;
let history: ScalingHistory;
beforeEach(() => {
  history = new ScalingHistory();
});

const decide = (desired: number, current: number, behavior?: object, atMs = 0): ScalingDecision => {
  history.begin('a', current, atMs);
  return history.decide('a', desired, { current, min: 2, max: 20 }, behavior, atMs);
};
const rules = (scaleUp: object, scaleDown: object = {}): object => ({
  scaleUp: { stabilizationWindowSeconds: 0, selectPolicy: 'Max', ...scaleUp },
  scaleDown: { stabilizationWindowSeconds: 0, selectPolicy: 'Max', ...scaleDown },
});
const pods = (value: number, periodSeconds = 60): object => ({ type: 'Pods', value, periodSeconds });
const percent = (value: number, periodSeconds = 60): object => ({ type: 'Percent', value, periodSeconds });

describe('an autoscaler without rules', () => {
  test.each([
    [50, 12, 20, 'TooManyReplicas'],
    [50, 5, 10, 'ScaleUpLimit'],
    [9, 2, 4, 'ScaleUpLimit'],
    [7, 5, 7, 'DesiredWithinRange'],
  ])(
    'an autoscaler without rules that recommends %i with %i replicas gets %i: %s',
    (desired, current, replicas, reason) => {
      expect(decide(desired, current)).toMatchObject({
        replicas,
        limit: [reason, expect.any(String)],
        isLimited: desired !== replicas,
      });
    },
  );

  test('an autoscaler without rules scales down to its highest recommendation of five minutes', () => {
    expect(decide(3, 8)).toMatchObject({ replicas: 8, ability: ['ScaleDownStabilized', expect.any(String)] });
    expect(decide(4, 8, undefined, 5 * MINUTE + 1)).toMatchObject({
      replicas: 4,
      ability: ['ReadyForNewScale', expect.any(String)],
    });
    expect(decide(1, 4, undefined, 11 * MINUTE)).toMatchObject({
      replicas: 2,
      limit: ['TooFewReplicas', expect.any(String)],
    });
  });
});

describe('an autoscaler with rules', () => {
  test.each([
    ['Max', 8],
    ['Min', 6],
    ['Disabled', 5],
  ])('an autoscaler selects the policy for scaling up by %s', (selectPolicy, replicas) => {
    const behavior = rules({ selectPolicy, policies: [pods(3), percent(20)] });
    expect(decide(20, 5, behavior)).toMatchObject({ replicas, limit: ['ScaleUpLimit', expect.any(String)] });
  });

  test.each([
    ['Max', 3],
    ['Min', 5],
    ['Disabled', 6],
  ])('an autoscaler selects the policy for scaling down by %s', (selectPolicy, replicas) => {
    const behavior = rules({}, { selectPolicy, policies: [pods(1), percent(50)] });
    expect(decide(2, 6, behavior)).toMatchObject({ replicas, limit: ['ScaleDownLimit', expect.any(String)] });
  });

  test('changes within the period of a policy count', () => {
    const behavior = rules({ policies: [pods(4)] });
    expect(decide(20, 5, behavior).replicas).toBe(9);
    history.recordChange('a', 4, 0);
    expect(decide(20, 9, behavior, MINUTE - 1).replicas).toBe(9);
    expect(decide(20, 9, behavior, MINUTE).replicas).toBe(13);
  });

  test('an autoscaler with a window scales up when all recommendations in it are higher', () => {
    const behavior = rules({ stabilizationWindowSeconds: 60, policies: [pods(10)] });
    expect(decide(9, 5, behavior)).toMatchObject({ replicas: 5, ability: ['ScaleUpStabilized', expect.any(String)] });
    expect(decide(7, 5, behavior, MINUTE)).toMatchObject({
      replicas: 7,
      ability: ['ReadyForNewScale', expect.any(String)],
    });
  });

  test('an autoscaler with rules for other fields waits five minutes before it scales down', () => {
    const behavior = rules({}, { stabilizationWindowSeconds: undefined, policies: [percent(100)] });
    expect(decide(3, 5, behavior).replicas).toBe(5);
    expect(decide(3, 5, behavior, 5 * MINUTE).replicas).toBe(3);
  });
});
