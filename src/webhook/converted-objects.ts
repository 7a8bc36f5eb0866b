import { isJsonObject, stringAt, type JsonObject } from '../base/json-object.js';
import { stringifyJson } from '../base/json.js';
import { thrownError } from '../base/thrown-error.js';
import type { KindConversion } from '../resource/conversion/kind-conversion.js';
import { parseBody } from './parse-body.js';
import { RequestError, asRequestError } from '../base/http-server/request-error.js';
import { responseMessage } from './webhook-method-error.js';
import { BLOCK_BYTES, type SpareBlocks } from './spare-blocks.js';

/** Converts the objects of one kind. */
export type Converter = Pick<KindConversion, 'kind' | 'convert'>;

/** The API server copies the message into the response to its client, and messages may contain data of users. */
const MAX_MESSAGE = 1000;

/** How many objects of a kind were converted from one version to another. */
export interface ConversionCount {
  readonly kind: string;
  readonly from: string;
  readonly to: string;
  readonly count: number;
}

/** The result of a conversion request. */
export interface ConversionResult {
  /** The body of the response: a ConversionReview. */
  readonly body: readonly Buffer[];
  /** The error of an object that cannot be converted, which the response contains as text. */
  readonly error: Error | undefined;
  /** The objects in the body; empty after an error. */
  readonly converted: readonly ConversionCount[];
  /** To be called once the body has been sent, so that the next response uses its memory. */
  readonly release: () => void;
}

/** The members of a request that are needed to convert its objects. */
export interface ConversionHeader {
  readonly uid: string;
  readonly desiredAPIVersion: string;
}

/** The response with the objects that are converted so far. */
export class ConvertedObjects {
  private readonly text: ChunkedText;
  private isEmpty = true;
  /** By kind and version of the object, separated by a space. */
  private readonly counts = new Map<string, number>();
  private failure: { readonly message: string; readonly error: Error } | undefined;

  constructor(
    private readonly conversions: ReadonlyMap<string, Converter>,
    blocks: SpareBlocks,
  ) {
    this.text = new ChunkedText(blocks);
  }

  /** @throws RequestError for a text that is not a JSON object. */
  add(text: string, { uid, desiredAPIVersion }: ConversionHeader): void {
    if (this.failure) return;
    const object = parseBody(text);
    if (!isJsonObject(object)) throw incompleteReview();
    try {
      const conversion = conversionFor(object, this.conversions);
      const converted = conversion.convert(object, desiredAPIVersion);
      this.text.add((this.isEmpty ? start(uid) : ',') + stringifyJson(converted));
      this.isEmpty = false;
      const counted = `${conversion.kind.kind} ${versionOf(stringAt(object, 'apiVersion'))}`;
      this.counts.set(counted, (this.counts.get(counted) ?? 0) + 1);
    } catch (thrown) {
      const error = asRequestError(thrownError(thrown));
      this.failure = { message: bounded(`${describe(object)}: ${responseMessage(error)}`), error };
    }
  }

  result({ uid, desiredAPIVersion }: ConversionHeader): ConversionResult {
    const release = (): void => {
      this.text.release();
    };
    if (this.failure)
      return { body: [failure(uid, this.failure.message)], error: this.failure.error, converted: [], release };
    this.text.add(`${this.isEmpty ? start(uid) : ''}],"result":{"status":"Success"}}}`);
    const converted = [...this.counts].map(([counted, count]) => {
      const [kind = '', from = ''] = counted.split(' ');
      return { kind, from, to: versionOf(desiredAPIVersion), count };
    });
    return { body: this.text.chunks(), error: undefined, converted, release };
  }
}

function versionOf(apiVersion: string): string {
  return apiVersion.slice(apiVersion.indexOf('/') + 1);
}

function start(uid: string): string {
  const response = `"response":{"uid":${stringifyJson(uid)},"convertedObjects":[`;
  return `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1",${response}`;
}

function failure(uid: string, message: string): Buffer {
  const response = { uid, convertedObjects: [], result: { status: 'Failure', message } };
  return Buffer.from(stringifyJson({ kind: 'ConversionReview', apiVersion: 'apiextensions.k8s.io/v1', response }));
}

function bounded(message: string): string {
  return message.length <= MAX_MESSAGE ? message : `${message.slice(0, MAX_MESSAGE)}…`;
}

/** A text of many megabytes that is encoded in parts. */
class ChunkedText {
  private text = '';
  private readonly encoded: Buffer[] = [];
  private readonly taken: Buffer[] = [];
  private readonly encoder = new TextEncoder();

  constructor(private readonly blocks: SpareBlocks) {}

  add(text: string): void {
    this.text += text;
    while (this.text.length >= BLOCK_BYTES) {
      const block = this.blocks.take();
      const { read, written } = this.encoder.encodeInto(this.text, block);
      this.taken.push(block);
      this.encoded.push(block.subarray(0, written));
      this.text = this.text.slice(read);
    }
  }

  chunks(): readonly Buffer[] {
    return [...this.encoded, Buffer.from(this.text)];
  }

  release(): void {
    this.blocks.giveBack(this.taken);
  }
}

/** @throws Error for a kind that no class converts. */
function conversionFor(object: JsonObject, conversions: ReadonlyMap<string, Converter>): Converter {
  const [group = ''] = stringAt(object, 'apiVersion').split('/');
  const conversion = conversions.get(`${group}/${stringAt(object, 'kind')}`);
  if (!conversion) throw new RequestError(400, 'no class of this operator converts the kind');
  return conversion;
}

function describe(object: JsonObject): string {
  const metadata = object['metadata'];
  const [namespace, name] = [stringAt(metadata, 'namespace'), stringAt(metadata, 'name')];
  return `${stringAt(object, 'kind')} ${namespace === '' ? name : `${namespace}/${name}`}`;
}

/** The error of a review that lacks what every review has. */
export function incompleteReview(): RequestError {
  return new RequestError(400, 'the ConversionReview has no request with uid, desiredAPIVersion and objects');
}
