import { ownChange, resourceVersionChanged, type Predicate } from '../../api/events/predicate.js';
import { durationMs, type Duration } from '../../base/duration.js';
import type { ControllerCache, ControllerOptions } from '../decorators/controller.js';
import type { Diagnostics } from '../diagnostics.js';
import type { Problem } from '../model-error.js';
import { controllerName, controllerOptions, controllerUse } from './controller-class.js';
import type { KindDeclaration } from './kind-class.js';
import { rateLimitProblems, rateLimitSettings, type RateLimitSettings } from './rate-limit.js';
import { isDns1035Label, isDns1123Label } from './names.js';

/** The options of `@Controller` that are durations, with their settings in milliseconds. */
export const DURATION_SETTINGS = {
  reconcileTimeout: 'reconcileTimeoutMs',
  cacheSyncTimeout: 'cacheSyncTimeoutMs',
  baseDelay: 'baseDelayMs',
  maxDelay: 'maxDelayMs',
  debounce: 'debounceMs',
} as const;

type DurationOption = keyof typeof DURATION_SETTINGS;
type DurationSettings = Pick<ControllerSettings, (typeof DURATION_SETTINGS)[DurationOption]>;

/** The options of a controller, with defaults filled in. */
export interface ControllerSettings {
  readonly name: string;
  /** Namespace of the operator in generated manifests. */
  readonly namespace: string;
  readonly maxConcurrentReconciles: number;
  readonly reconcileTimeoutMs: number;
  readonly predicate: Predicate;
  readonly fieldManager: string;
  readonly formerFinalizers?: readonly string[];
  readonly formerFieldManagers?: readonly string[];
  readonly cache?: ControllerCache;
  /** The clusters of the objects; undefined for the operator's own. */
  readonly clusters?: 'all' | readonly string[];
  /** False: each replica reconciles all objects. */
  readonly sharding?: false;
  readonly pausedDeletion: 'proceed' | 'wait';
  readonly impersonate?: true | readonly string[];
  readonly cacheSyncTimeoutMs: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  readonly delayFactor: number;
  readonly delayJitter: number;
  /** Undefined: none. */
  readonly rateLimit?: RateLimitSettings;
  /** Undefined: none. */
  readonly debounceMs?: number;
  readonly maxAttempts: number;
}

const DURATION_OPTIONS = Object.keys(DURATION_SETTINGS) as DurationOption[];

export const DELAY_PROBLEM: Problem = ['baseDelay is longer than maxDelay', `baseDelay: '5ms', maxDelay: '1000s'`];

const MOST_FACTOR = 100;

/** Leaves room for the suffixes that manifests add. */
const MAX_NAME = 40;

const DEFAULTS = {
  maxConcurrentReconciles: 1,
  pausedDeletion: 'proceed' as const,
  /** Long enough to wait for a machine or a volume, and short enough to notice a reconcile that hangs. */
  reconcileTimeoutMs: 600_000,
  cacheSyncTimeoutMs: 120_000,
  baseDelayMs: 5,
  maxDelayMs: 1_000_000,
  delayFactor: 2,
  delayJitter: 0,
  maxAttempts: Infinity,
};

export function controllerSettings(
  { target, kind, definesKind }: Pick<KindDeclaration, 'target' | 'kind' | 'definesKind'>,
  diagnostics: Diagnostics,
): ControllerSettings {
  const { for: _for, writesStatus: _writesStatus, ...stated } = controllerOptions(target);
  const options: ControllerOptions = definesKind ? stated : { ...stated, name: stated.name ?? controllerName(target) };
  const { name = kind.kind.toLowerCase() } = options;
  const given = Object.fromEntries(
    Object.entries(options).filter(
      ([option, value]) => value !== undefined && !Object.hasOwn(DURATION_SETTINGS, option),
    ),
  );
  const predicate = definesKind ? ownChange : resourceVersionChanged;
  const common = { name, namespace: `${name}-system`, fieldManager: name, predicate };
  const rateLimit = options.rateLimit && { rateLimit: rateLimitSettings(options.rateLimit) };
  const settings = {
    ...common,
    ...DEFAULTS,
    ...given,
    ...durationSettings(options),
    ...rateLimit,
  } as ControllerSettings;
  const problems = [
    ...nameProblems(settings, options),
    ...countProblems(settings),
    ...rateLimitProblems(options.rateLimit),
    ...durationProblems(settings, options),
    ...cacheProblems(options),
    ...clusterProblems(options),
    ...pauseProblems(settings),
    ...shardingProblems(settings),
    ...impersonationProblems(options),
  ];
  const decorator = controllerUse(target);
  for (const [problem, hint] of problems) diagnostics.add({ target, decorator }, `@Controller: ${problem}`, hint);
  return Object.freeze(settings);
}

/** Returns the settings in milliseconds for the options that are given; NaN for those that are not durations. */
export function durationSettings(
  options: Readonly<Partial<Record<DurationOption, Duration | undefined>>>,
): Partial<DurationSettings> {
  const given = DURATION_OPTIONS.flatMap((option) => {
    const value = options[option];
    return value === undefined ? [] : [[DURATION_SETTINGS[option], durationMs(value) ?? NaN]];
  });
  return Object.fromEntries(given) as Partial<DurationSettings>;
}

/** A name derived from the kind is validated with the kind. */
function* nameProblems(
  { namespace, fieldManager, formerFieldManagers = [] }: ControllerSettings,
  { name, namespace: givenNamespace }: ControllerOptions,
): Generator<Problem> {
  if (name !== undefined && (!isDns1035Label(name) || name.length > MAX_NAME))
    yield [`name "${name}" must consist of up to ${MAX_NAME} lowercase letters, digits and dashes`, `name: 'podset'`];
  if (givenNamespace !== undefined && !isDns1123Label(namespace))
    yield [`"${namespace}" is not a valid namespace name`, `namespace: 'podset-system'`];
  if (formerFieldManagers.includes(fieldManager))
    yield [`"${fieldManager}" is the present field manager`, 'remove it from formerFieldManagers'];
  if (fieldManager === '' || fieldManager.length > 128)
    yield ['fieldManager must have 1 to 128 characters', `fieldManager: 'podset'`];
}

function* countProblems({ maxConcurrentReconciles: value, maxAttempts }: ControllerSettings): Generator<Problem> {
  if (!(maxAttempts === Infinity || (Number.isSafeInteger(maxAttempts) && maxAttempts > 0)))
    yield [`maxAttempts ${maxAttempts} is not a positive integer`, 'maxAttempts: 10'];
  if (!(Number.isSafeInteger(value) && value > 0))
    yield [`maxConcurrentReconciles ${value} is not a positive integer`, 'maxConcurrentReconciles: 1'];
}

function* durationProblems(settings: ControllerSettings, options: ControllerOptions): Generator<Problem> {
  for (const option of DURATION_OPTIONS)
    if (options[option] !== undefined && !((settings[DURATION_SETTINGS[option]] ?? 0) > 0))
      yield [`${option} ${String(options[option])} is not a duration longer than 0`, `${option}: '1m'`];
  if (settings.baseDelayMs > settings.maxDelayMs) yield DELAY_PROBLEM;
  const { delayFactor, delayJitter } = settings;
  if (!(delayFactor >= 1 && delayFactor <= MOST_FACTOR))
    yield [`delayFactor ${delayFactor} is not a number from 1 to ${MOST_FACTOR}`, 'delayFactor: 2'];
  if (!(delayJitter >= 0 && delayJitter <= 1))
    yield [`delayJitter ${delayJitter} is not a number from 0 to 1`, 'delayJitter: 0.5'];
}

/** Options of parts that TypeScript rejects here: the fields of the class would be missing in its own objects. */
function* cacheProblems({ cache = {} }: ControllerOptions): Generator<Problem> {
  for (const option of ['fields', 'metadataOnly']) {
    if (option in cache)
      yield [`cache cannot have ${option}: objects of the class are cached whole`, `cache: { labelSelector: '…' }`];
  }
}

function* pauseProblems({ pausedDeletion }: ControllerSettings): Generator<Problem> {
  if (!['proceed', 'wait'].includes(pausedDeletion))
    yield [`pausedDeletion "${pausedDeletion}" is neither "proceed" nor "wait"`, `pausedDeletion: 'wait'`];
}

function* shardingProblems({ sharding = false }: ControllerSettings): Generator<Problem> {
  if ((sharding as unknown) !== false)
    yield [
      'sharding can only be false: with sharding of the manager, objects are divided by default',
      'remove sharding',
    ];
}

function* impersonationProblems({ impersonate = true }: ControllerOptions): Generator<Problem> {
  const isNames =
    Array.isArray(impersonate) && impersonate.length > 0 && impersonate.every((name) => typeof name === 'string');
  if ((impersonate as unknown) !== true && !isNames)
    yield ['impersonate must be a list of names of ServiceAccounts, or true', `impersonate: ['deployer']`];
}

function* clusterProblems({ clusters = 'all' }: ControllerOptions): Generator<Problem> {
  const isNames = (given: unknown): boolean =>
    Array.isArray(given) && given.length > 0 && given.every((name) => typeof name === 'string' && name !== '');
  if (clusters !== 'all' && !isNames(clusters))
    yield ['clusters must be a list of names, or "all"', `clusters: ['edge'], or clusters: 'all'`];
}
