import { expect, test } from '@jest/globals';
import { CustomResource, Kind, Manager, type Client } from 'kindwright';
import { unknownControllers, withOverrides } from '../../src/manager/controller-overrides.js';
import { buildResourceModels } from '../../src/resource/build-models.js';

@Kind({ group: 'test.kindwright.dev', version: 'v1' })
class Widget extends CustomResource {
  reconcile(): void {}
}
const [model] = buildResourceModels([Widget]);

test('settings of one controller are overridden, and those of others are kept', () => {
  const { controller } = withOverrides(model!, { widget: { maxConcurrentReconciles: 7, reconcileTimeout: '1s' } });
  expect(controller).toEqual({ ...model!.controller, maxConcurrentReconciles: 7, reconcileTimeoutMs: 1000 });
  expect(withOverrides(model!, { other: { maxConcurrentReconciles: 7 } })).toBe(model);
});

test('a setting that is undefined is that of the class', () => {
  const { controller } = withOverrides(model!, { widget: { maxDelay: undefined } });
  expect(controller).toEqual(model!.controller);
});

test('settings that contradict those of the class are an error when the class is added', () => {
  const manager = new Manager({ client: {} as Client, controllers: { widget: { maxDelay: 1 } } });
  expect(() => manager.add(Widget)).toThrow('controllers.widget: baseDelay is longer than maxDelay');
});

test.each([
  [{ maxConcurentReconciles: 2 }, 'controllers.widget: "maxConcurentReconciles" is not an option of a controller'],
  [{ maxDelay: 0 }, 'controllers.widget: maxDelay must be a duration longer than 0, such as 30s, not 0'],
  [{ baseDelay: '5sec' }, 'controllers.widget: baseDelay must be a duration longer than 0, such as 30s, not "5sec"'],
  [{ baseDelayMs: 5 }, '"baseDelayMs" is not an option of a controller; did you mean baseDelay?'],
])('the options %j of a controller are an error', (options, message) => {
  expect(() => new Manager({ client: {} as Client, controllers: { widget: options as object } })).toThrow(message);
});

test('settings of a controller that does not run are found, with the most similar name', () => {
  const overrides = { widgit: {}, widget: {}, podset: {} };
  expect(unknownControllers(overrides, [model!])).toEqual([
    { name: 'widgit', like: 'widget' },
    { name: 'podset', like: undefined },
  ]);
});

test('a class with overridden settings can be removed by its class and by its model', async () => {
  const manager = new Manager({ client: {} as Client, controllers: { widget: { maxDelay: 10 } } });
  await manager.add(model!).remove(model!);
  await manager.add(Widget).remove(Widget);
  await expect(manager.remove(Widget)).rejects.toThrow('Widget is not a class of this manager');
});
