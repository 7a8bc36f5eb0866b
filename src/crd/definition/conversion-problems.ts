import {
  invalidTyped,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  type FieldError,
} from '../../api/protocol/field-error.js';
import { dns1035LabelErrors } from '../../api/objects/names.js';
import { arrayAt, isJsonObject, objectAt, stringAt } from '../../base/json-object.js';
import { caBundleProblems, serviceProblems, urlProblems } from './webhook-problems.js';

const PATH = 'spec.conversion';
const CLIENT = `${PATH}.webhookClientConfig`;
const REVIEW = `${PATH}.conversionReviewVersions`;
const REVIEW_VERSIONS = ['v1', 'v1beta1'];

export interface ConversionOptions {
  readonly requireRecognizedReviewVersion: boolean;
  readonly allowInvalidCaBundle: boolean;
}

/** Returns the errors of spec.conversion: validateCustomResourceConversion. */
export function conversionProblems(conversion: unknown, options: ConversionOptions): FieldError[] {
  if (!isJsonObject(conversion)) return [];
  const strategy = stringAt(conversion, 'strategy');
  const { clientConfig } = objectAt(conversion, 'webhook');
  const reviewVersions = arrayAt(conversion.webhook, 'conversionReviewVersions').map(String);
  if (strategy === 'Webhook') {
    return [
      ...clientProblems(clientConfig, options),
      ...reviewVersionProblems(reviewVersions, options.requireRecognizedReviewVersion),
    ];
  }
  const reason = 'should not be set when strategy is not set to Webhook';
  return [
    ...(strategy === '' ? [required(`${PATH}.strategy`)] : []),
    ...(strategy !== '' && strategy !== 'None'
      ? [notSupported(`${PATH}.strategy`, strategy, ['None', 'Webhook'])]
      : []),
    ...(isJsonObject(clientConfig) ? [forbiddenField(CLIENT, reason)] : []),
    ...(reviewVersions.length > 0 ? [forbiddenField(REVIEW, reason)] : []),
  ];
}

function clientProblems(config: unknown, { allowInvalidCaBundle }: ConversionOptions): FieldError[] {
  if (!isJsonObject(config)) return [required(CLIENT, 'required when strategy is set to Webhook')];
  const { url, service, caBundle } = config;
  const errors: FieldError[] = [];
  if ((typeof url === 'string') === isJsonObject(service))
    errors.push(required(CLIENT, 'exactly one of url or service is required'));
  else if (typeof url === 'string') errors.push(...urlProblems(`${CLIENT}.url`, url));
  else errors.push(...serviceProblems(`${CLIENT}.service`, objectAt(config, 'service')));
  if (!allowInvalidCaBundle && typeof caBundle === 'string' && caBundle !== '')
    errors.push(...caBundleProblems(`${CLIENT}.caBundle`, caBundle));
  return errors;
}

function reviewVersionProblems(versions: readonly string[], requireRecognized: boolean): FieldError[] {
  if (versions.length === 0) return [required(REVIEW)];
  const errors = versions.flatMap((version, index) =>
    versions.indexOf(version) < index
      ? [invalidValue(`${REVIEW}[${index}]`, version, 'duplicate version')]
      : dns1035LabelErrors(version).map((error) => invalidValue(`${REVIEW}[${index}]`, version, error)),
  );
  if (requireRecognized && !hasRecognizedReviewVersion(versions))
    errors.push(invalidTyped(REVIEW, versions, `must include at least one of ${REVIEW_VERSIONS.join(', ')}`));
  return errors;
}

function hasRecognizedReviewVersion(versions: readonly string[]): boolean {
  return versions.some((version) => REVIEW_VERSIONS.includes(version));
}
