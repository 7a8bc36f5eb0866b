import type { KindOptions, WebhookConversion } from '../decorators/kind.js';
import type { Diagnostics } from '../diagnostics.js';
import type { Location } from '../location.js';
import type { Problem } from '../model-error.js';
import { kindLocation } from './kind-location.js';

/** What a class says of the version that it is of its kind. */
export interface VersionSettings {
  /** None where the class does not say. */
  readonly storage: boolean | undefined;
  readonly served: boolean;
  readonly isDeprecated: boolean;
  readonly deprecationWarning: string | undefined;
  readonly conversion: 'None' | WebhookConversion | undefined;
  readonly hasCommonFields: boolean;
  readonly preserveUnknownFields: false | undefined;
  /** Of all versions of the kind, where the class says it. */
  readonly versionOrder: readonly string[] | undefined;
  /** Whether subresources are listed where there are none. */
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
  if (warning === '') yield ['deprecated is an empty warning', 'deprecated: true'];
  if (Buffer.byteLength(warning) > MAX_WARNING)
    yield [`its warning of deprecation is longer than ${MAX_WARNING} bytes`, 'a shorter one'];
  // Go's unicode.IsPrint takes no white space but the plain one.
  if (/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(warning))
    yield ['its warning of deprecation has characters that cannot be printed', 'one line of text'];
}

function* conversionProblems(conversion: KindOptions['conversion']): Generator<Problem> {
  if (conversion === undefined || conversion === 'None') return;
  const versions = conversion.conversionReviewVersions;
  if (!versions.some((version) => version === 'v1' || version === 'v1beta1'))
    yield ['its conversion webhook speaks no version that the API server does', `conversionReviewVersions: ['v1']`];
  const { url, service } = conversion.clientConfig ?? {};
  if ((url === undefined) === (service === undefined))
    yield ['its conversion webhook needs either a url or a service', `clientConfig: { service: { namespace, name } }`];
}

function* lengthProblems(length: number | undefined): Generator<Problem> {
  if (length !== undefined && !(Number.isSafeInteger(length) && length >= 0))
    yield [`maxDescriptionLength ${length} is not a whole number from 0 up`, 'maxDescriptionLength: 300'];
}
