import {
  CustomResourceDefinition,
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '../../../api/kinds/kinds.js';
import type { KindRef } from '../../../api/kinds/kind-ref.js';
import type { UnstructuredObject } from '../../../api/objects/kube-object.js';
import type { FieldPath } from '../../../base/changed-fields.js';
import { NotFoundError } from '../../../client/api-error.js';
import type { Client } from '../../../client/client.js';
import { disownFields, ownsFields } from '../../../client/fields/field-ownership.js';
import type { InjectionTargets } from '../../../manifests/webhooks/injection-targets.js';
import type { KeptValue } from './contested-writes.js';

/** Owns the `caBundle` fields only until it has set them, because owned fields would remain of a webhook that is removed. */
export const CA_BUNDLE_MANAGER = 'kindwright-webhooks';

const HINT =
  'remove the annotation cert-manager.io/inject-ca-from, or let the other client ignore caBundle; ' +
  'to leave it to that client, generate the manifests with --certificates cert-manager or files';

interface ClientConfig {
  readonly service?: object;
  readonly caBundle?: string;
}

/** An object with the authorities that API servers trust when they call webhooks. */
export interface InjectionTarget {
  readonly kind: KindRef<UnstructuredObject>;
  readonly name: string;
}

/** An object as it was read, with the authorities that it trusts. */
export interface ReadTarget {
  readonly target: InjectionTarget;
  readonly object: UnstructuredObject;
  /** In PEM, one for each webhook that is called by a Service; empty for one without. */
  readonly bundles: readonly string[];
  /** The fields that hold the bundles. */
  readonly paths: readonly FieldPath[];
  /** True if a process ended after it had set the `caBundle`, and before it gave up the ownership. */
  readonly isOwned: boolean;
}

export function injectionTargetsOf({ mutating, validating, definitions }: InjectionTargets): InjectionTarget[] {
  const of = (kind: unknown) => (name: string) => ({ kind: kind as KindRef<UnstructuredObject>, name });
  return [
    ...mutating.map(of(MutatingWebhookConfiguration)),
    ...validating.map(of(ValidatingWebhookConfiguration)),
    ...definitions.map(of(CustomResourceDefinition)),
  ];
}

export function nameOf({ target: { kind, name } }: Pick<ReadTarget, 'target'>): string {
  return `${kind.kind} ${name}`;
}

export function keptBundle(read: ReadTarget, bundle: string): KeptValue {
  return { object: nameOf(read), field: 'caBundle', value: bundle, hint: HINT };
}

/** Reads a target; undefined if it does not exist. */
export async function readTarget(
  client: Pick<Client, 'get'>,
  target: InjectionTarget,
  signal: AbortSignal,
): Promise<ReadTarget | undefined> {
  try {
    const object = await client.get(target.kind, target.name, { signal });
    const webhooks = serviceWebhooks(object);
    const bundles = webhooks.map(({ config: { caBundle = '' } }) => Buffer.from(caBundle, 'base64').toString());
    const paths = webhooks.map(({ path }) => [...path, 'clientConfig', 'caBundle']);
    return { target, object, bundles, paths, isOwned: ownsFields(object, CA_BUNDLE_MANAGER) };
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/**
 * Sets the `caBundle` of each webhook, without owning it afterwards: server-side apply keeps fields without an owner, and
 * removes them with their webhook. Of a removed webhook whose `caBundle` has an owner, an invalid rest would remain.
 *
 * @throws ConflictError if the object has changed since it was read
 */
export async function inject(
  client: Pick<Client, 'apply' | 'patch'>,
  { target: { kind, name }, object }: ReadTarget,
  bundle: string,
  signal: AbortSignal,
): Promise<void> {
  const { uid, resourceVersion } = object.metadata;
  const clientConfig = { caBundle: Buffer.from(bundle).toString('base64') };
  const named = serviceWebhooks(object).flatMap((webhook) => (webhook.name === undefined ? [] : [webhook.name]));
  const content =
    named.length === 0
      ? { spec: { conversion: { webhook: { clientConfig } } } }
      : { webhooks: named.map((webhook) => ({ name: webhook, clientConfig })) };
  const { apiVersion } = object;
  const metadata = {
    name,
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
  const applied = { apiVersion, kind: object.kind, metadata, ...content };
  const result = await client.apply(kind, applied, { fieldManager: CA_BUNDLE_MANAGER, force: true, signal });
  await disownFields(client, kind, result, CA_BUNDLE_MANAGER, signal);
}

/**
 * Ends the ownership of a `caBundle`.
 *
 * @throws ConflictError if the object has changed since it was read
 */
export async function disown(
  client: Pick<Client, 'patch'>,
  { target: { kind }, object }: ReadTarget,
  signal: AbortSignal,
): Promise<void> {
  await disownFields(client, kind, object, CA_BUNDLE_MANAGER, signal);
}

/** The addresses of webhooks in a configuration, or of the conversion of a definition. Addresses by URL are not ours. */
export function serviceWebhooks(
  object: UnstructuredObject,
): { readonly name?: string; readonly config: ClientConfig; readonly path: FieldPath }[] {
  const { webhooks = [], spec } = object as unknown as {
    readonly webhooks?: readonly { readonly name: string; readonly clientConfig: ClientConfig }[];
    readonly spec?: { readonly conversion?: { readonly webhook?: { readonly clientConfig?: ClientConfig } } };
  };
  const conversion = spec?.conversion?.webhook?.clientConfig;
  const all = [
    ...webhooks.map(({ name, clientConfig }, index) => ({ name, config: clientConfig, path: ['webhooks', index] })),
    ...(conversion ? [{ config: conversion, path: ['spec', 'conversion', 'webhook'] }] : []),
  ];
  return all.filter(({ config }) => config.service !== undefined);
}
