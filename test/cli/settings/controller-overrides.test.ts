import { expect, test } from '@jest/globals';
import { CustomResource, Kind } from 'kindwright';
import { assertControllers, withOverrides } from '../../../src/cli/settings/controller-overrides.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';

@Kind({ group: 'test.kindwright.dev', version: 'v1' })
class Widget extends CustomResource {
  reconcile(): void {}
}
const [model] = buildResourceModels([Widget]);

test('settings of one controller are overridden, and those of others are kept', () => {
  const { controller } = withOverrides(model!, { widget: { maxConcurrentReconciles: 7, reconcileTimeoutMs: 1000 } });
  expect(controller).toEqual({ ...model!.controller, maxConcurrentReconciles: 7, reconcileTimeoutMs: 1000 });
  expect(withOverrides(model!, { other: { maxConcurrentReconciles: 7 } })).toBe(model);
});

test('settings that contradict those of the class are an error', () => {
  expect(() => withOverrides(model!, { widget: { maxDelayMs: 1 } })).toThrow(
    'controllers.widget: baseDelayMs is greater than maxDelayMs',
  );
});

test('settings of a controller that does not run are an error', () => {
  expect(() => assertControllers({ podset: {} }, [model!])).toThrow('unknown controller "podset" in the options');
});
