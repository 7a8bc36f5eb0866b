import { StringDecoder } from 'node:string_decoder';
import { DividedList } from '../base/divided-list.js';
import { objectAt, stringAt } from '../base/json-object.js';
import {
  ConvertedObjects,
  incompleteReview,
  type ConversionHeader,
  type ConversionResult,
  type Converter,
} from './converted-objects.js';
import { MAX_REVIEW_BYTES, parseBody } from './parse-body.js';
import { RequestError } from '../base/http-server/request-error.js';
import type { SharedSlices } from './shared-slices.js';
import type { SpareBlocks } from './spare-blocks.js';

/** A list of many objects is one request: 10,000 objects of 5 KB. */
export const MAX_CONVERSION_BYTES = 60 * 1024 * 1024;

/** The event loop and memory that conversions at the same time share. */
interface ConversionResources {
  readonly slices: SharedSlices;
  readonly blocks: SpareBlocks;
}

/**
 * Converts the objects of a ConversionReview of apiextensions.k8s.io/v1, in their order, while its body arrives.
 *
 * Reviews at the same time share the slices. One object that cannot be converted makes the whole review fail, as the API server requires.
 *
 * @throws RequestError for any other body.
 */
export async function conversionReview(
  body: AsyncIterable<Buffer> | Iterable<Buffer>,
  conversions: ReadonlyMap<string, Converter>,
  { slices, blocks }: ConversionResources,
): Promise<ConversionResult> {
  const review = new DividedList('objects', 2);
  const decoder = new StringDecoder('utf8');
  const converted = new ConvertedObjects(conversions, blocks);
  let header: ConversionHeader | undefined;
  // API servers send the header before the objects, but the members of JSON have no order.
  const early: string[] = [];
  for await (const chunk of body) {
    await slices.each(review.add(decoder.write(chunk)), (object) => {
      assertLength(object.length);
      if (early.length === 0) header ??= headerOf(parseBody(review.head));
      if (header) converted.add(object, header);
      else early.push(object);
    });
    assertLength(review.unread);
  }
  const complete = checkedHeader(parseBody(review.rest));
  await slices.each(early, (object) => {
    converted.add(object, complete);
  });
  return converted.result(complete);
}

/** @throws RequestError if an object, or the members around the list, are longer than any object of an API server. */
function assertLength(length: number): void {
  if (length > MAX_REVIEW_BYTES) throw new RequestError(413, `an object exceeds ${MAX_REVIEW_BYTES} bytes`);
}

/** Undefined if a member is missing. */
function headerOf(review: unknown): ConversionHeader | undefined {
  const request = objectAt(review, 'request');
  const [uid, desiredAPIVersion] = [stringAt(request, 'uid'), stringAt(request, 'desiredAPIVersion')];
  return uid === '' || desiredAPIVersion === '' ? undefined : { uid, desiredAPIVersion };
}

/** @throws RequestError for a review of another kind, or one without a header and a list that is empty by now. */
function checkedHeader(review: unknown): ConversionHeader {
  if (stringAt(review, 'kind') !== 'ConversionReview' || stringAt(review, 'apiVersion') !== 'apiextensions.k8s.io/v1')
    throw new RequestError(400, 'the body must be a ConversionReview of apiextensions.k8s.io/v1');
  const header = headerOf(review);
  const { objects } = objectAt(review, 'request');
  if (!header || !Array.isArray(objects) || objects.length > 0) throw incompleteReview();
  return header;
}
