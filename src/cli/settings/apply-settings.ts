import type { Command, Option } from 'commander';
import { nearest } from '../../base/nearest.js';
import { OperatorError } from '../../base/operator-error.js';
import { readText } from '../../base/read-text.js';
import type { ControllerOverrides } from '../../manager/controller-overrides.js';
import { mergeOverrides, parseOverrides, readOverrides, settingsOf } from './controller-overrides.js';

/** Options of the command line alone: those of `--embedded`, of a developer, and of the configuration itself. */
const FLAGS_ONLY: readonly string[] = [
  'embedded',
  'dataDir',
  'console',
  'open',
  'reload',
  'samples',
  'podDelay',
  'failPods',
  'missingImages',
  'registerWebhooks',
  'version',
];
const CONTROLLER = 'controller';
/** Options of which one has no effect beside the other. */
const ALTERNATIVES: ReadonlyMap<string, string> = new Map([
  ['webhookAuthority', 'webhookCertDir'],
  ['webhookCertDir', 'webhookAuthority'],
]);

/** The origin of the value of an option. */
interface Place {
  /** `KINDWRIGHT_NAMESPACE`, or `config.yaml: namespace`. */
  readonly text: string;
  /** The value of commander for it. */
  readonly source: 'env' | 'config';
}

/** Options of controllers of one origin: as commander names it. */
interface ControllerSource {
  readonly overrides: ControllerOverrides;
  readonly source: string;
}

/**
 * Sets the options that the command line does not set, from the environment (`KINDWRIGHT_LEADER_ELECT`), otherwise from the
 * file of `--config` (`leaderElect`). Returns the options of controllers, those with precedence first.
 *
 * @throws OperatorError naming the variable, or the file and its key, of an invalid value.
 */
export async function applySettings(command: Command, env: NodeJS.ProcessEnv): Promise<readonly ControllerSource[]> {
  const options = command.options.filter((option) => !FLAGS_ONLY.includes(option.attributeName()));
  const given = command.getOptionValue(CONTROLLER) as ControllerOverrides | undefined;
  const controllers: ControllerSource[] = given ? [{ overrides: given, source: 'cli' }] : [];
  for (const option of options) {
    const variable = variableOf(option);
    const place: Place = { text: variable, source: 'env' };
    const text = env[variable];
    if (option.attributeName() !== CONTROLLER) setUnlessGiven(command, option, text, place);
    else if (text !== undefined) controllers.push(readControllers(() => parseOverrides(text), place));
  }
  const file = command.getOptionValue('config') as string | undefined;
  if (file !== undefined) controllers.push(...(await applyConfig(command, options, file)));
  const [first] = controllers;
  if (first) {
    const merged = controllers.reduceRight<ControllerOverrides>((all, each) => mergeOverrides(all, each.overrides), {});
    command.setOptionValueWithSource(CONTROLLER, merged, first.source);
  }
  return controllers;
}

async function applyConfig(command: Command, options: readonly Option[], file: string): Promise<ControllerSource[]> {
  const controllers: ControllerSource[] = [];
  const known = options.filter((option) => option.attributeName() !== 'config');
  for (const [name, value] of Object.entries(await readConfig(file))) {
    const place: Place = { text: `${file}: ${name}`, source: 'config' };
    const option = known.find((each) => each.attributeName() === name && name !== CONTROLLER);
    if (name === 'controllers') controllers.push(readControllers(() => readOverrides(value), place));
    else if (option) setUnlessGiven(command, option, textOf(value, place), place);
    else throw unknownKey(place, name, [...known.map((each) => each.attributeName()), 'controllers']);
  }
  return controllers;
}

/** The environment variable of an option: `KINDWRIGHT_LEADER_ELECT`. */
export function variableOf(option: Option): string {
  return `KINDWRIGHT_${option.attributeName().replace(/[A-Z]/g, '_$&').toUpperCase()}`;
}

/** Variables that Kubernetes sets in pods for a Service with a name such as `kindwright-web`. */
const OF_SERVICES = /_SERVICE_(HOST|PORT)(_\w+)?$|_PORT(_\d+_(TCP|UDP|SCTP)(_\w+)?)?$/;

/** Returns a warning for each variable `KINDWRIGHT_…` that is not one of an option. */
export function unknownVariables(command: Command, env: NodeJS.ProcessEnv): string[] {
  const options = command.options.filter((option) => !FLAGS_ONLY.includes(option.attributeName()));
  const known = options.map(variableOf);
  const unknown = Object.keys(env).filter((name) => name.startsWith('KINDWRIGHT_') && !known.includes(name));
  return unknown
    .filter((name) => !OF_SERVICES.test(name))
    .map((name) => {
      const like = nearest(name.slice('KINDWRIGHT_'.length), known.map(optionPart));
      const hint = like === undefined ? '' : `; did you mean KINDWRIGHT_${like}?`;
      return `unknown environment variable ${name}: no option of run-operator reads it${hint}`;
    });
}

function optionPart(variable: string): string {
  return variable.slice('KINDWRIGHT_'.length);
}

/** Describes the effective options with their origin; options with their default value only if `all` is set. */
export function effectiveSettings(
  command: Command,
  controllers: readonly ControllerSource[],
  all: boolean,
): Record<string, string> {
  const described: Record<string, string> = {};
  for (const option of command.options) {
    const name = option.attributeName();
    const source = command.getOptionValueSource(name);
    const value: unknown = command.getOptionValue(name);
    if (value === undefined || (!all && (source === undefined || source === 'default'))) continue;
    described[name] =
      name === CONTROLLER
        ? describeControllers(value as ControllerOverrides, controllers)
        : `${withoutCredentials(printable(value))} (${originOf(source)})`;
  }
  return described;
}

/** Each option of a controller has an origin of its own. */
function describeControllers(effective: ControllerOverrides, controllers: readonly ControllerSource[]): string {
  const described = settingsOf(effective).map(([controller, setting, value]) => {
    const origin = controllers.find(({ overrides }) => overrides[controller]?.[setting] !== undefined);
    return `${controller}.${setting}=${value} (${originOf(origin?.source)})`;
  });
  return described.join(', ');
}

function originOf(source: string | undefined): string {
  return source === 'cli' ? 'flag' : (source ?? 'default');
}

function setUnlessGiven(command: Command, option: Option, text: string | undefined, place: Place): void {
  const name = option.attributeName();
  const source = command.getOptionValueSource(name);
  if (text === undefined || !(source === undefined || source === 'default')) return;
  const other = ALTERNATIVES.get(name);
  const otherSource = other === undefined ? undefined : command.getOptionValueSource(other);
  if (otherSource === place.source) throw invalid(place, `the option excludes ${String(other)}, which is set too`);
  if (otherSource !== undefined) return; // it takes precedence
  command.setOptionValueWithSource(name, parsed(option, text, place), place.source);
}

function parsed(option: Option, text: string, place: Place): unknown {
  if (option.isBoolean() || option.negate) {
    if (text === 'true' || text === 'false') return text === 'true';
    throw invalid(place, `"${text}" is neither true nor false`);
  }
  const parse = option.parseArg as ((text: string, previous: unknown) => unknown) | undefined;
  try {
    return parse ? parse(text, undefined) : text;
  } catch (error) {
    throw invalid(place, `"${text}" is invalid. ${(error as Error).message}`);
  }
}

async function readConfig(file: string): Promise<object> {
  let text: string;
  try {
    text = readText(file);
  } catch (cause) {
    if (cause instanceof OperatorError) throw cause;
    const message = `the configuration file ${file} cannot be read: ${(cause as Error).message}`;
    throw new OperatorError(message, { code: 'E_CONFIG', hint: 'pass an existing file to --config', cause });
  }
  const { parseYaml } = await import('../../base/yaml.js');
  const config = parseYaml(text, file) ?? {};
  if (typeof config === 'object' && !Array.isArray(config)) return config;
  throw new OperatorError(`the configuration file ${file} is not a mapping`, {
    code: 'E_CONFIG',
    hint: 'leaderElect: true',
  });
}

/** The text that the flag would get. */
function textOf(value: unknown, place: Place): string {
  if (Array.isArray(value)) return value.map((item) => textOf(item, place)).join(',');
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw invalid(place, 'the value must be a string, a number, a boolean or a list of strings');
}

function readControllers(read: () => ControllerOverrides, place: Place): ControllerSource {
  try {
    return { overrides: read(), source: place.source };
  } catch (error) {
    throw invalid(place, (error as Error).message);
  }
}

function unknownKey(place: Place, name: string, known: readonly string[]): OperatorError {
  const like = nearest(name, known);
  return new OperatorError(`${place.text} is not an option`, {
    code: 'E_CONFIG',
    hint: like === undefined ? 'the keys are the options of run-operator in camel case' : `did you mean ${like}?`,
  });
}

function invalid(place: Place, problem: string): OperatorError {
  return new OperatorError(`${place.text}: ${problem}`, { code: 'E_CONFIG', hint: 'see run-operator --help' });
}

function printable(value: unknown): string {
  if (typeof value === 'function') return 'set'; // a parsed selector
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A URL may contain a user name and a password. */
function withoutCredentials(text: string): string {
  return text.replace(/\/\/[^/@\s]*@/, '//redacted@');
}
