import type { Duration } from '../../base/duration.js';
import {
  assertOverride,
  type ControllerOverride,
  type ControllerOverrides,
} from '../../manager/controller-overrides.js';

/** Parses `podset.maxConcurrentReconciles=10`, several separated by commas. @throws Error for an invalid one. */
export function parseOverrides(text: string): ControllerOverrides {
  return text.split(',').reduce<ControllerOverrides>((all, part) => {
    const { controller, setting, value } =
      /^(?<controller>[^.=]+)\.(?<setting>\w+)=(?<value>\w+)$/.exec(part)?.groups ?? {};
    if (controller === undefined || setting === undefined)
      throw new Error(`"${part}" is not <controller>.<option>=<value>, such as podset.maxConcurrentReconciles=10`);
    return mergeOverrides(all, {
      [controller]: checked({ [setting]: /^\d+$/.test(value ?? '') ? Number(value) : value }),
    });
  }, {});
}

/** Reads the value of `controllers` of a configuration file. @throws Error for an invalid one. */
export function readOverrides(value: unknown): ControllerOverrides {
  const controllers = Object.entries(mapping('controllers', value));
  return Object.fromEntries(
    controllers.map(([name, settings]) => [name, checked({ ...mapping(`controllers.${name}`, settings) })]),
  );
}

/** Returns both; `later` takes precedence. */
export function mergeOverrides(earlier: ControllerOverrides, later: ControllerOverrides): ControllerOverrides {
  const names = [...new Set([...Object.keys(earlier), ...Object.keys(later)])];
  return Object.fromEntries(names.map((name) => [name, { ...earlier[name], ...later[name] }]));
}

/** The options of all controllers as a list of controller, option and value. */
export function settingsOf(overrides: ControllerOverrides): (readonly [string, keyof ControllerOverride, Duration])[] {
  return Object.entries(overrides).flatMap(([controller, settings]) =>
    (Object.entries(settings) as [keyof ControllerOverride, Duration][]).map(
      ([setting, value]) => [controller, setting, value] as const,
    ),
  );
}

function checked(settings: object): ControllerOverride {
  assertOverride(settings);
  return settings;
}

function mapping(path: string, value: unknown): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new Error(`${path} must be a mapping`);
}
