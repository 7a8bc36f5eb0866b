import type { Chooser } from '../fidelity/chooser.js';

/** An object in a response. */
export interface StoredJson {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
    readonly deletionTimestamp?: string;
  };
  readonly [member: string]: unknown;
}

/** A kind the load writes objects of. */
export interface LoadedKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly path: string;
  /** The content of a write by the writer with this number; it must be stored completely or not at all. */
  content(serial: number, chooser: Chooser): Readonly<Record<string, unknown>>;
  /** The status to write, for a kind that no controller writes the status of. */
  status?(serial: number): Readonly<Record<string, unknown>>;
  /** The status of a new object. */
  readonly initialStatus?: object;
}

/** From a few bytes to several pages of the database. */
const SIZES = [0, 10, 300, 3000, 12_000];
const padding = (chooser: Chooser): string => chooser.pick(['a', 'b', 'c']).repeat(chooser.pick(SIZES));
const base64 = (text: string): string => Buffer.from(text).toString('base64');

export const CONFIG_MAP: LoadedKind = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  path: '/api/v1/namespaces/default/configmaps',
  content: (serial, chooser) => ({ data: { first: String(serial), padding: padding(chooser), last: String(serial) } }),
};

export const LOADED_KINDS: readonly LoadedKind[] = [
  CONFIG_MAP,
  {
    apiVersion: 'v1',
    kind: 'Secret',
    path: '/api/v1/namespaces/default/secrets',
    content: (serial, chooser) => ({
      data: { first: base64(String(serial)), padding: base64(padding(chooser)), last: base64(String(serial)) },
      type: 'Opaque',
    }),
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    path: '/apis/networking.k8s.io/v1/namespaces/default/ingresses',
    content: (serial) => ({
      spec: { defaultBackend: { service: { name: `s-${serial}`, port: { name: `p-${serial}` } } } },
    }),
    status: (serial) => ({ loadBalancer: { ingress: [{ hostname: `a-${serial}` }, { hostname: `b-${serial}` }] } }),
    initialStatus: { loadBalancer: {} },
  },
  {
    apiVersion: 'durability.example.com/v1',
    kind: 'Gadget',
    path: '/apis/durability.example.com/v1/namespaces/default/gadgets',
    status: (serial) => ({ first: serial, last: serial }),
    content: (serial, chooser) => ({ spec: { first: serial, padding: padding(chooser), last: serial } }),
  },
];

/** Whether the load has written it, and not a controller: each namespace gets the certificate of its server. */
export const isLoad = ({ metadata }: StoredJson): boolean => metadata.name !== 'kube-root-ca.crt';

const fields = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

export const GADGET_DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.durability.example.com' },
  spec: {
    group: 'durability.example.com',
    scope: 'Namespaced',
    names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: fields, status: fields } } },
        subresources: { status: {} },
      },
    ],
  },
};
