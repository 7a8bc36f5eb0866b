import { Option, type Command } from 'commander';
import type { ManagerOptions } from '../../manager/manager-options.js';

/** A flag of a command. Its name in camel case is its key in a table, and its key in a configuration file. */
export interface Flag {
  readonly short?: string;
  /** The argument in the help, such as `<file>`. Flags without one are switches. */
  readonly argument?: string;
  readonly help: string;
  readonly parse?: (text: string, previous: never) => unknown;
  readonly default?: string | number;
  /** The default in the help, if it has another text than `default`, or is not known before the start. */
  readonly defaultText?: string;
  /** The switch is on by default; the flag starts with `--no-`. */
  readonly isOn?: true;
  readonly conflicts?: readonly string[];
  readonly implies?: Readonly<Record<string, boolean>>;
  /** The option of the manager that gets the value. */
  readonly manager?: keyof ManagerOptions;
}

/** Flags by their names in camel case. */
export type Flags = Readonly<Record<string, Flag>>;

type ValueOf<F> = F extends { readonly parse: (text: string, previous: never) => infer V }
  ? V
  : F extends { readonly argument: string }
    ? string
    : boolean;

/** The parsed values of the flags of a table. */
export type ValuesOf<T extends Flags> = {
  readonly [N in keyof T as T[N] extends { readonly default: unknown } ? N : never]: ValueOf<T[N]>;
} & { readonly [N in keyof T as T[N] extends { readonly default: unknown } ? never : N]?: ValueOf<T[N]> };

/** The options of the manager that get the values of the flags of a table. */
export type ManagedBy<T extends Flags> = {
  readonly [N in keyof T as T[N] extends { readonly manager: infer M extends string } ? M : never]?: ValueOf<T[N]>;
};

/** Adds the flags of a table. */
export function withFlags(command: Command, flags: Flags): Command {
  for (const [name, flag] of Object.entries(flags)) command.addOption(optionOf(name, flag));
  return command;
}

function optionOf(name: string, flag: Flag): Option {
  const { short, argument, help, parse, defaultText, conflicts = [], implies } = flag;
  const long = `--${flag.isOn ? 'no-' : ''}${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  const flags = [short === undefined ? long : `${short}, ${long}`, argument].filter((part) => part !== undefined);
  const isKnown = flag.default !== undefined;
  const text = isKnown || defaultText === undefined ? help : `${help} (default: ${defaultText})`;
  const option = new Option(flags.join(' '), text).conflicts([...conflicts]);
  if (parse) option.argParser(parse as (text: string, previous: unknown) => unknown);
  if (isKnown) option.default(flag.default, defaultText);
  return implies ? option.implies({ ...implies }) : option;
}
