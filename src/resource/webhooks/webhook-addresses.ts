import { createHash } from 'node:crypto';
import { resourceName, type KindRef } from '../../api/kinds/kind-ref.js';
import type { WebhookMethodEntry } from '../decorators/webhook-method.js';
import type { WebhookModel } from './webhook-model.js';

type Options = WebhookMethodEntry['options'];

type Address = Pick<WebhookModel, 'name' | 'path' | 'isFiltered'>;

const VERBS = { Mutating: 'mutate', Validating: 'validate' } as const;

/** The words for options that decide which requests a webhook receives. */
const FILTERS = {
  match: 'match',
  namespaceSelector: 'namespaces',
  objectSelector: 'objects',
  whileDeleting: 'deleting',
} as const;

const FILTER_WORD = new RegExp(`-(${Object.values(FILTERS).join('|')})(-|$)`);
const HASH = /-[0-9a-f]{8}$/;

/**
 * Returns a function that must be called for each webhook of a type, in order, and returns its address.
 *
 * Names and paths depend on the kind and on which options the methods have, but not on the version or the names of methods: during a
 * rolling update, the API server calls pods of one release with the configuration of another.
 *
 * @param className the name of a class with `@Admission`, of which one kind can have several
 */
export function webhookAddresses(
  type: WebhookModel['type'],
  kind: KindRef,
  className = '',
): (options: Options, plain: Options, key: string) => Address {
  const verb = VERBS[type];
  const classLabel = kebab(className);
  const used = new Map<string, number>();
  /* `plain`: the options of methods without options of their own; `key`: the text of all options of the group. */
  return (options, plain, key) => {
    const { name: given } = options;
    const words = optionWords(options, plain);
    const isFiltered = isFilteredPath(`-${words}`);
    if (given !== undefined)
      return { name: given, path: options.path ?? `/${verb}-${given.replaceAll('.', '-')}`, isFiltered };
    const count = (used.get(words) ?? 0) + 1;
    used.set(words, count);
    const label = count === 1 ? words : `${words}-${count}`;
    // Requests must not reach the methods of another filter when methods change places, so the path names the filter itself.
    const suffix = isFiltered ? `${words}-${hash(key)}` : label;
    const path = joined('-', pathPrefix(type, kind), classLabel, suffix);
    const name = joined('.', label, verb, classLabel, resourceName(kind));
    return { name, path: options.path ?? path, isFiltered };
  };
}

/** The begin of the paths of all webhooks of a type that review a kind, unless they have a name or path of their own. */
export function pathPrefix(type: WebhookModel['type'], { group, kind }: KindRef): string {
  return `/${joined('-', VERBS[type], group.replaceAll('.', '-'), kind.toLowerCase())}`;
}

/** The part of a path that does not change when the values of options change. */
export function stablePath(path: string): string {
  return path.replace(HASH, '');
}

/** Returns true if the webhook at a path receives only requests that a filter selects. */
export function isFilteredPath(path: string): boolean {
  return FILTER_WORD.test(path);
}

function optionWords(options: Options, plain: Options): string {
  const { failurePolicy, timeoutSeconds, sideEffects, reinvocation, path } = options;
  const filters = (Object.keys(FILTERS) as (keyof typeof FILTERS)[]).filter(
    (name) => JSON.stringify(options[name]) !== JSON.stringify(plain[name]),
  );
  return joined(
    '-',
    ...filters.map((name) => FILTERS[name]),
    failurePolicy === plain.failurePolicy ? '' : (failurePolicy ?? '').toLowerCase(),
    timeoutSeconds === plain.timeoutSeconds ? '' : 'timeout',
    sideEffects === undefined ? '' : 'side-effects',
    reinvocation === undefined ? '' : 'reinvocation',
    path === undefined ? '' : 'path',
  );
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

function joined(separator: string, ...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(separator);
}

/** `TeamPods` as a DNS label: `team-pods`. */
function kebab(name: string): string {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2').replaceAll(/[^A-Za-z0-9]+/g, '-');
  return words.replaceAll(/^-+|-+$/g, '').toLowerCase();
}
