import type { Clock } from '../base/clock.js';
import { isJsonObject, objectAt, stringAt, type JsonObject } from '../base/json-object.js';
import { thrownError } from '../base/thrown-error.js';
import type { KindConversion } from '../resource/conversion/kind-conversion.js';
import { RequestError } from './request-error.js';

/** A list of many objects is one request: 10,000 objects of 2 KB, and more. */
export const MAX_CONVERSION_BODY = 128 * 1024 * 1024;

/** The longest time without a turn of the event loop, so that admission reviews do not wait for a long list. */
const SLICE_MS = 5;

/** Converts the objects of one kind. */
export type Converter = Pick<KindConversion, 'kind' | 'convert'>;

/** The result of a conversion request. */
export interface ConversionResult {
  /** The body of the response: a ConversionReview. */
  readonly review: JsonObject;
  /** The error of an object that cannot be converted, which the response contains as text. */
  readonly error: Error | undefined;
  readonly objects: number;
}

/**
 * Converts the objects of a ConversionReview of apiextensions.k8s.io/v1, in their order.
 *
 * One object that cannot be converted makes the whole review fail, as the API server requires.
 *
 * @throws RequestError for any other body.
 */
export async function conversionReview(
  body: unknown,
  conversions: ReadonlyMap<string, Converter>,
  clock: Clock,
): Promise<ConversionResult> {
  const { uid, desiredAPIVersion, objects } = requestOf(body);
  const converted: JsonObject[] = [];
  const respond = (response: JsonObject, error?: Error): ConversionResult => ({
    review: { kind: 'ConversionReview', apiVersion: 'apiextensions.k8s.io/v1', response: { uid, ...response } },
    objects: converted.length,
    error,
  });
  let startedAt = clock.monotonic();
  for (const object of objects) {
    try {
      converted.push(conversionFor(object, conversions).convert(object, desiredAPIVersion));
    } catch (thrown) {
      const error = thrownError(thrown);
      const message = `${describe(object)}: ${error.message}`;
      return respond({ convertedObjects: [], result: { status: 'Failure', message } }, error);
    }
    if (clock.monotonic() - startedAt < SLICE_MS) continue;
    await new Promise<void>((resolve) => setImmediate(resolve));
    startedAt = clock.monotonic();
  }
  return respond({ convertedObjects: converted, result: { status: 'Success' } });
}

function requestOf(body: unknown): { uid: string; desiredAPIVersion: string; objects: readonly JsonObject[] } {
  if (stringAt(body, 'kind') !== 'ConversionReview' || stringAt(body, 'apiVersion') !== 'apiextensions.k8s.io/v1')
    throw new RequestError(400, 'the body must be a ConversionReview of apiextensions.k8s.io/v1');
  const request = objectAt(body, 'request');
  const { objects } = request;
  const uid = stringAt(request, 'uid');
  const desiredAPIVersion = stringAt(request, 'desiredAPIVersion');
  if (uid === '' || desiredAPIVersion === '' || !Array.isArray(objects) || !objects.every(isJsonObject))
    throw new RequestError(400, 'the ConversionReview has no request with uid, desiredAPIVersion and objects');
  return { uid, desiredAPIVersion, objects };
}

/** @throws Error for a kind that no class converts. */
function conversionFor(object: JsonObject, conversions: ReadonlyMap<string, Converter>): Converter {
  const [group = ''] = stringAt(object, 'apiVersion').split('/');
  const conversion = conversions.get(`${group}/${stringAt(object, 'kind')}`);
  if (!conversion) throw new Error('no class of this operator converts the kind');
  return conversion;
}

function describe(object: JsonObject): string {
  const metadata = object['metadata'];
  const [namespace, name] = [stringAt(metadata, 'namespace'), stringAt(metadata, 'name')];
  return `${stringAt(object, 'kind')} ${namespace === '' ? name : `${namespace}/${name}`}`;
}
