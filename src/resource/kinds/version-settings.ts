import type { KindOptions, WebhookConversion } from '../decorators/kind.js';
import type { Diagnostics } from '../diagnostics.js';
import type { Location } from '../location.js';
import type { Problem } from '../model-error.js';
import { kindLocation } from './kind-location.js';

/** The settings of the version of a kind that a class declares. */
export interface VersionSettings {
  /** Undefined if the class does not state it. */
  readonly storage: boolean | undefined;
  readonly served: boolean;
  readonly isDeprecated: boolean;
  readonly deprecationWarning: string | undefined;
  readonly conversion: 'None' | WebhookConversion | undefined;
  readonly hasCommonFields: boolean;
  readonly preserveUnknownFields: false | undefined;
  /** The order of all versions of the kind, if the class states it. */
  readonly versionOrder: readonly string[] | undefined;
  /** True if the subresources are listed even if empty. */
  readonly listsSubresources: boolean;
  readonly maxDescriptionLength: number | undefined;
}

const MAX_WARNING = 256;

export function versionSettings(
  target: Location['target'],
  options: KindOptions,
  diagnostics: Diagnostics,
): VersionSettings {
  const { storage, served = true, deprecated = false, conversion, commonFields = true, maxDescriptionLength } = options;
  const { preserveUnknownFields, subresources, versionOrder } = options;
  const deprecationWarning = typeof deprecated === 'string' ? deprecated : undefined;
  const problems = [
    ...warningProblems(deprecationWarning),
    ...conversionProblems(conversion),
    ...lengthProblems(maxDescriptionLength),
  ];
  for (const [problem, hint] of problems) diagnostics.add(kindLocation(target), `@Kind: ${problem}`, hint);
  const isDeprecated = deprecated !== false;
  const hasCommonFields = commonFields;
  return Object.freeze({
    ...{ storage, served, isDeprecated, deprecationWarning, conversion },
    ...{ hasCommonFields, preserveUnknownFields, versionOrder, maxDescriptionLength },
    listsSubresources: subresources !== undefined && subresources.status === undefined,
  });
}

/** From validateDeprecationWarning in apiextensions. */
function* warningProblems(warning: string | undefined): Generator<Problem> {
  if (warning === undefined) return;
  if (warning === '') yield ['the deprecation warning is empty', 'deprecated: true'];
  if (Buffer.byteLength(warning) > MAX_WARNING)
    yield [`the deprecation warning is longer than ${MAX_WARNING} bytes`, 'shorten it'];
  // Go's unicode.IsPrint accepts no white space other than U+0020.
  if (/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(warning))
    yield ['the deprecation warning contains non-printable characters', 'use one line of text'];
}

function* conversionProblems(conversion: KindOptions['conversion']): Generator<Problem> {
  if (conversion === undefined || conversion === 'None') return;
  const versions = conversion.conversionReviewVersions;
  if (!versions.some((version) => version === 'v1' || version === 'v1beta1'))
    yield ['the conversion webhook supports no review version of the API server', `conversionReviewVersions: ['v1']`];
  const { url, service } = conversion.clientConfig ?? {};
  if ((url === undefined) === (service === undefined))
    yield [
      'the conversion webhook requires either a url or a service',
      `clientConfig: { service: { namespace, name } }`,
    ];
}

function* lengthProblems(length: number | undefined): Generator<Problem> {
  if (length !== undefined && !(Number.isSafeInteger(length) && length >= 0))
    yield [`maxDescriptionLength ${length} is not a non-negative integer`, 'maxDescriptionLength: 300'];
}
