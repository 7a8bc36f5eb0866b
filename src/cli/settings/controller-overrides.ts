import { nearest } from '../../base/nearest.js';
import { OperatorError } from '../../base/operator-error.js';
import { COUNT_SETTINGS } from '../../resource/kinds/controller-settings.js';
import type { ResourceModel } from '../../resource/model.js';

/** An option of `@Controller` that can be set without a change of the code. */
type Setting = (typeof COUNT_SETTINGS)[number];

/** Values by the name of the controller and the option of `@Controller`. */
export type ControllerOverrides = Readonly<Record<string, Readonly<Partial<Record<Setting, number>>>>>;

/** Parses `podset.maxConcurrentReconciles=10`, several separated by commas. @throws Error for an invalid one. */
export function parseOverrides(text: string): ControllerOverrides {
  return text.split(',').reduce<ControllerOverrides>((all, part) => {
    const { controller, setting, value } =
      /^(?<controller>[^.=]+)\.(?<setting>\w+)=(?<value>\d+)$/.exec(part)?.groups ?? {};
    if (controller === undefined || setting === undefined)
      throw new Error(`"${part}" is not <controller>.<option>=<number>, such as podset.maxConcurrentReconciles=10`);
    return mergeOverrides(all, { [controller]: { [parseSetting(setting)]: positive(setting, Number(value)) } });
  }, {});
}

/** Reads the value of `controllers` of a configuration file. @throws Error for an invalid one. */
export function readOverrides(value: unknown): ControllerOverrides {
  const read: Record<string, Partial<Record<Setting, number>>> = {};
  for (const [controller, settings] of Object.entries(mapping('controllers', value))) {
    const entries = Object.entries(mapping(`controllers.${controller}`, settings));
    read[controller] = Object.fromEntries(entries.map(([name, count]) => [parseSetting(name), positive(name, count)]));
  }
  return read;
}

/** Returns both; `later` takes precedence. */
export function mergeOverrides(earlier: ControllerOverrides, later: ControllerOverrides): ControllerOverrides {
  const names = [...new Set([...Object.keys(earlier), ...Object.keys(later)])];
  return Object.fromEntries(names.map((name) => [name, { ...earlier[name], ...later[name] }]));
}

/** The options of all controllers as a list of controller, option and value. */
export function settingsOf(overrides: ControllerOverrides): (readonly [string, Setting, number])[] {
  return Object.entries(overrides).flatMap(([controller, settings]) =>
    (Object.entries(settings) as [Setting, number][]).map(([setting, value]) => [controller, setting, value] as const),
  );
}

/**
 * Returns the model with other settings of its controller.
 *
 * @throws OperatorError when they contradict each other.
 */
export function withOverrides(model: ResourceModel, overrides: ControllerOverrides): ResourceModel {
  const { name } = model.controller;
  const own = overrides[name];
  if (!own) return model;
  const controller = Object.freeze({ ...model.controller, ...own });
  if (controller.baseDelayMs > controller.maxDelayMs)
    throw invalid(`controllers.${name}: baseDelayMs is greater than maxDelayMs`, 'baseDelayMs: 5, maxDelayMs: 1000000');
  return Object.freeze({ ...model, controller });
}

/** @throws OperatorError for settings of a controller that does not run. */
export function assertControllers(overrides: ControllerOverrides, models: readonly ResourceModel[]): void {
  const names = models.map(({ controller }) => controller.name);
  const unknown = Object.keys(overrides).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw invalid(`unknown controller "${unknown}" in the options`, `the controllers are ${names.join(', ')}`);
}

function mapping(path: string, value: unknown): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new Error(`${path} must be a mapping`);
}

function parseSetting(name: string): Setting {
  const setting = COUNT_SETTINGS.find((each) => each === name);
  if (setting) return setting;
  const like = nearest(name, COUNT_SETTINGS);
  throw new Error(
    `"${name}" is not an option of a controller; ${like ? `did you mean ${like}?` : `use ${COUNT_SETTINGS.join(', ')}`}`,
  );
}

function positive(name: string, value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
  throw new Error(`${name} must be a positive integer, not ${JSON.stringify(value)}`);
}

function invalid(message: string, hint: string): OperatorError {
  return new OperatorError(message, { code: 'E_CONFIG', hint });
}
