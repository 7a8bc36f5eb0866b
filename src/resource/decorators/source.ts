import type { Duration } from '../../base/duration.js';
import type { RequestHeaders } from '../../api/reconcile/reconcile-observer.js';
import type { Logger } from '../../base/logger.js';
import type { CacheReader, MappedObject } from '../mapper.js';
import { appendMetadata, assertCalled, metadataKey } from '../metadata.js';
import type { InjectionToken } from './inject.js';

/** A secret text that is read when it is needed: from an environment variable, or from a file such as a mounted Secret. */
export type SecretText = { readonly env: string } | { readonly file: string };

/**
 * The authentication of a sender: a bearer token, or an HMAC-SHA256 signature of the body in a header.
 *
 * The signature covers the body only: requests with a query are rejected, other headers are not authenticated, and who has
 * seen a request can send it again. A method that does more than naming objects must check a time in the body.
 */
export type SourceAuth =
  | { readonly bearer: SecretText }
  | {
      readonly hmac: SecretText;
      /** The header with the signature, in hexadecimal, with or without `sha256=`; default `x-hub-signature-256`. */
      readonly header?: string;
    };

/** Options of `@Source`; without any, the method returns an async iterable. */
export type SourceOptions =
  | { readonly every?: never; readonly path?: never; readonly auth?: never; readonly maxBodyBytes?: never }
  | {
      /** Time from the end of a call to the next one, such as `10s`. */
      readonly every: Duration;
      readonly path?: never;
      readonly auth?: never;
      readonly maxBodyBytes?: never;
    }
  | {
      /** Path of the HTTP endpoint that receives POST requests, such as `/hooks/tickets`. */
      readonly path: string;
      readonly auth: SourceAuth;
      /** Default 1 MiB. */
      readonly maxBodyBytes?: number;
      readonly every?: never;
    };

/** Names an object to reconcile; a text is `namespace/name`, or the name alone for kinds without namespaces. */
export type SourceKey = string | MappedObject;

/** The first argument of a `@Source` method. */
export interface SourceContext {
  /** Aborted at shutdown, when the lease is lost and, for an HTTP request, after 10 s. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** The cached objects of the kinds of the class. */
  readonly cache: CacheReader;
  /** Returns the value provided for a class. @throws OperatorError when no value was provided. */
  readonly inject: <T>(token: InjectionToken<T>) => T;
}

/** A request to an HTTP endpoint, after authentication: the second argument of the method. */
export interface SourceRequest {
  /** Not authenticated if the body is signed (`hmac`). */
  readonly headers: RequestHeaders;
  /** Always empty if the body is signed (`hmac`). */
  readonly query: URLSearchParams;
  readonly text: string;
  /** Parses the body. @throws SyntaxError, which is answered with status 400. */
  json(): unknown;
}

type Keys = Iterable<SourceKey>;

/** A method of the class that names objects to reconcile. */
export type SourceMethod =
  | ((context: SourceContext) => AsyncIterable<SourceKey>)
  | ((context: SourceContext, request: SourceRequest) => Promise<Keys> | Keys);

/** The arguments of one `@Source`, and its method. */
export interface SourceEntry {
  readonly method: string;
  readonly isStatic: boolean;
  readonly options: SourceOptions;
}

export const SOURCE = metadataKey<SourceEntry>('source');

/**
 * Lets a static method name objects to reconcile, for changes outside of the cluster.
 *
 * Without options the method returns an async iterable, which is started again with back-off when it throws or ends.
 * With `every` the method is called at that interval. With `path` it is called for each authenticated HTTP request.
 * Objects that do not exist are ignored. Sources run in the process that leads, while the controller runs.
 */
export function Source(
  options: SourceOptions = {},
): <M extends SourceMethod>(
  target: abstract new (...args: never[]) => object,
  method: string,
  descriptor: TypedPropertyDescriptor<M>,
) => void {
  assertCalled(SOURCE, options);
  return (target: object, method) => {
    const isStatic = typeof target === 'function';
    appendMetadata(SOURCE, isStatic ? target : target.constructor, { method, isStatic, options });
  };
}
