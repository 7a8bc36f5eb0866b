import { nearest } from '../base/nearest.js';
import { OperatorError } from '../base/operator-error.js';
import { COUNT_SETTINGS } from '../resource/kinds/controller-settings.js';
import type { ResourceModel } from '../resource/model.js';

/** Options of `@Controller` that can be set without a change of the code: positive integers. */
export interface ControllerOverride {
  readonly maxConcurrentReconciles?: number | undefined;
  readonly reconcileTimeoutMs?: number | undefined;
  readonly cacheSyncTimeoutMs?: number | undefined;
  readonly baseDelayMs?: number | undefined;
  readonly maxDelayMs?: number | undefined;
}

/** Options by the name of the controller. */
export type ControllerOverrides = Readonly<Record<string, ControllerOverride>>;

type Setting = (typeof COUNT_SETTINGS)[number];

/** @throws Error for a name that is not an option, or a value that is not a positive integer. */
export function assertOverride(override: object): asserts override is ControllerOverride {
  for (const [name, value] of Object.entries(override)) {
    assertSetting(name);
    if (value !== undefined && !(Number.isSafeInteger(value) && value > 0))
      throw new Error(`${name} must be a positive integer, not ${JSON.stringify(value)}`);
  }
}

/** @throws OperatorError for options that are unknown or invalid. */
export function assertOverrides(overrides: ControllerOverrides): void {
  for (const [controller, override] of Object.entries(overrides)) {
    try {
      assertOverride(override);
    } catch (error) {
      throw invalid(`controllers.${controller}: ${(error as Error).message}`, 'maxConcurrentReconciles: 10');
    }
  }
}

/**
 * Returns the model with other settings of its controller.
 *
 * @throws OperatorError when they contradict each other.
 */
export function withOverrides(model: ResourceModel, overrides: ControllerOverrides): ResourceModel {
  const { name } = model.controller;
  const own = Object.hasOwn(overrides, name) ? overrides[name] : undefined;
  if (!own) return model;
  const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
  const controller = Object.freeze({ ...model.controller, ...given });
  if (controller.baseDelayMs > controller.maxDelayMs)
    throw invalid(`controllers.${name}: baseDelayMs is greater than maxDelayMs`, 'baseDelayMs: 5, maxDelayMs: 1000000');
  return Object.freeze({ ...model, controller });
}

/** The names in the options that no controller has, each with the most similar name that one has. */
export function unknownControllers(
  overrides: ControllerOverrides,
  models: readonly ResourceModel[],
): { readonly name: string; readonly like: string | undefined }[] {
  const names = models.map(({ controller }) => controller.name);
  const unknown = Object.keys(overrides).filter((name) => !names.includes(name));
  return unknown.map((name) => ({ name, like: nearest(name, names) }));
}

function assertSetting(name: string): asserts name is Setting {
  if (COUNT_SETTINGS.some((each) => each === name)) return;
  const like = nearest(name, COUNT_SETTINGS);
  throw new Error(
    `"${name}" is not an option of a controller; ${like ? `did you mean ${like}?` : `use ${COUNT_SETTINGS.join(', ')}`}`,
  );
}

function invalid(message: string, hint: string): OperatorError {
  return new OperatorError(message, { code: 'E_CONFIG', hint });
}
