import { durationMs, type Duration } from '../base/duration.js';
import { nearest } from '../base/nearest.js';
import { OperatorError } from '../base/operator-error.js';
import { DELAY_PROBLEM, DURATION_SETTINGS, durationSettings } from '../resource/kinds/controller-settings.js';
import type { ResourceModel } from '../resource/model.js';

/** Options of `@Controller` that can be set without a change of the code. */
export interface ControllerOverride {
  readonly maxConcurrentReconciles?: number | undefined;
  readonly reconcileTimeout?: Duration | undefined;
  readonly cacheSyncTimeout?: Duration | undefined;
  readonly baseDelay?: Duration | undefined;
  readonly maxDelay?: Duration | undefined;
}

/** Options by the name of the controller. */
export type ControllerOverrides = Readonly<Record<string, ControllerOverride>>;

const SETTINGS = ['maxConcurrentReconciles', ...Object.keys(DURATION_SETTINGS)];

/** @throws Error for a name that is not an option, or an invalid value. */
export function assertOverride(override: object): asserts override is ControllerOverride {
  for (const [name, value] of Object.entries(override)) {
    assertSetting(name);
    if (value !== undefined) assertValue(name, value);
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
  const { maxConcurrentReconciles = model.controller.maxConcurrentReconciles, ...durations } = own;
  const controller = Object.freeze({ ...model.controller, maxConcurrentReconciles, ...durationSettings(durations) });
  if (controller.baseDelayMs > controller.maxDelayMs)
    throw invalid(`controllers.${name}: ${DELAY_PROBLEM[0]}`, DELAY_PROBLEM[1]);
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

function assertValue(name: string, value: unknown): void {
  const isCount = name === 'maxConcurrentReconciles';
  const number = isCount ? value : durationMs(value as Duration);
  if (typeof number === 'number' && number > 0 && (!isCount || Number.isSafeInteger(number))) return;
  const wanted = isCount ? 'a positive integer' : 'a duration longer than 0, such as 30s';
  throw new Error(`${name} must be ${wanted}, not ${JSON.stringify(value)}`);
}

function assertSetting(name: string): void {
  if (SETTINGS.includes(name)) return;
  const like = nearest(name, SETTINGS);
  throw new Error(
    `"${name}" is not an option of a controller; ${like ? `did you mean ${like}?` : `use ${SETTINGS.join(', ')}`}`,
  );
}

function invalid(message: string, hint: string): OperatorError {
  return new OperatorError(message, { code: 'E_CONFIG', hint });
}
