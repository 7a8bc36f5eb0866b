import { ownChange, resourceVersionChanged, type Predicate } from '../../api/predicate.js';
import type { ControllerCache, ControllerOptions } from '../decorators/controller.js';
import type { Diagnostics } from '../diagnostics.js';
import type { Problem } from '../model-error.js';
import { controllerName, controllerOptions, controllerUse } from './controller-class.js';
import type { KindDeclaration } from './kind-class.js';
import { isDns1035Label, isDns1123Label } from './names.js';

/** The options of `@Controller` that are positive integers. */
export const COUNT_SETTINGS = [
  'maxConcurrentReconciles',
  'reconcileTimeoutMs',
  'cacheSyncTimeoutMs',
  'baseDelayMs',
  'maxDelayMs',
] as const;

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
  readonly cache?: ControllerCache;
  /** The clusters of the objects; undefined for the operator's own. */
  readonly clusters?: 'all' | readonly string[];
  readonly cacheSyncTimeoutMs: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
}

/** Leaves room for the suffixes that manifests add. */
const MAX_NAME = 40;

const DEFAULTS = {
  maxConcurrentReconciles: 1,
  /** Long enough to wait for a machine or a volume, and short enough to notice a reconcile that hangs. */
  reconcileTimeoutMs: 600_000,
  cacheSyncTimeoutMs: 120_000,
  baseDelayMs: 5,
  maxDelayMs: 1_000_000,
};

export function controllerSettings(
  { target, kind, definesKind }: Pick<KindDeclaration, 'target' | 'kind' | 'definesKind'>,
  diagnostics: Diagnostics,
): ControllerSettings {
  const { for: _for, writesStatus: _writesStatus, ...stated } = controllerOptions(target);
  const options: ControllerOptions = definesKind ? stated : { ...stated, name: stated.name ?? controllerName(target) };
  const { name = kind.kind.toLowerCase() } = options;
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const predicate = definesKind ? ownChange : resourceVersionChanged;
  const settings = { name, namespace: `${name}-system`, fieldManager: name, predicate, ...DEFAULTS, ...given };
  const problems = [
    ...nameProblems(settings, options),
    ...countProblems(settings),
    ...cacheProblems(options),
    ...clusterProblems(options),
  ];
  const decorator = controllerUse(target);
  for (const [problem, hint] of problems) diagnostics.add({ target, decorator }, `@Controller: ${problem}`, hint);
  return Object.freeze(settings);
}

/** A name derived from the kind is validated with the kind. */
function* nameProblems(
  { namespace, fieldManager }: ControllerSettings,
  { name, namespace: givenNamespace }: ControllerOptions,
): Generator<Problem> {
  if (name !== undefined && (!isDns1035Label(name) || name.length > MAX_NAME))
    yield [`name "${name}" must consist of up to ${MAX_NAME} lowercase letters, digits and dashes`, `name: 'podset'`];
  if (givenNamespace !== undefined && !isDns1123Label(namespace))
    yield [`"${namespace}" is not a valid namespace name`, `namespace: 'podset-system'`];
  if (fieldManager === '' || fieldManager.length > 128)
    yield ['fieldManager must have 1 to 128 characters', `fieldManager: 'podset'`];
}

function* countProblems(settings: ControllerSettings): Generator<Problem> {
  for (const option of COUNT_SETTINGS) {
    const value = settings[option];
    if (!(Number.isSafeInteger(value) && value > 0))
      yield [`${option} ${value} is not a positive integer`, `${option}: ${option.endsWith('Ms') ? 1000 : 1}`];
  }
  if (settings.baseDelayMs > settings.maxDelayMs)
    yield ['baseDelayMs is greater than maxDelayMs', 'baseDelayMs: 5, maxDelayMs: 1_000_000'];
}

/** Options of parts that TypeScript rejects here: the fields of the class would be missing in its own objects. */
function* cacheProblems({ cache = {} }: ControllerOptions): Generator<Problem> {
  for (const option of ['fields', 'metadataOnly']) {
    if (option in cache)
      yield [`cache cannot have ${option}: objects of the class are cached whole`, `cache: { labelSelector: '…' }`];
  }
}

function* clusterProblems({ clusters = 'all' }: ControllerOptions): Generator<Problem> {
  const isNames = (given: unknown): boolean =>
    Array.isArray(given) && given.length > 0 && given.every((name) => typeof name === 'string' && name !== '');
  if (clusters !== 'all' && !isNames(clusters))
    yield ['clusters must be a list of names, or "all"', `clusters: ['edge'], or clusters: 'all'`];
}
