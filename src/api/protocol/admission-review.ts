import type { Status } from './status.js';

/** metav1.GroupVersionKind. */
interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** metav1.GroupVersionResource. */
interface GroupVersionResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** The write that a webhook decides on: AdmissionRequest of admission.k8s.io/v1. */
export interface AdmissionRequest {
  /** Identifies the request; the response repeats it. */
  readonly uid: string;
  /** The kind of `object`, in the version that the webhook's rule matches. */
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subResource?: string;
  /** The kind of the client's request, before conversion to the version of the rule. */
  readonly requestKind?: GroupVersionKind;
  readonly requestResource?: GroupVersionResource;
  readonly requestSubResource?: string;
  /** Missing when the name is generated, and for a collection. */
  readonly name?: string;
  /** Missing for cluster-scoped resources. */
  readonly namespace?: string;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly userInfo: {
    readonly username?: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  /** The object to store; null for DELETE. */
  readonly object: unknown;
  /** The stored object; null for CREATE. */
  readonly oldObject: unknown;
  /** True when nothing is stored; the webhook must have no side effects then. */
  readonly dryRun?: boolean;
  readonly options: unknown;
}

/** The decision of a webhook: AdmissionResponse of admission.k8s.io/v1. */
export interface AdmissionResponse {
  /** The uid of the request. */
  readonly uid: string;
  readonly allowed: boolean;
  /** The reason of a denial, shown to the client. */
  readonly status?: Partial<Status>;
  /** JSON patch in base64, from mutating webhooks only. */
  readonly patch?: string;
  readonly patchType?: 'JSONPatch';
  readonly auditAnnotations?: Readonly<Record<string, string>>;
  /** Shown to the client, whether the request is allowed or not. */
  readonly warnings?: readonly string[];
}

/** The body of a call to an admission webhook, with a request, and of its reply, with a response. */
export interface AdmissionReview {
  readonly kind: 'AdmissionReview';
  /** `admission.k8s.io/v1` or `admission.k8s.io/v1beta1`. */
  readonly apiVersion: string;
  readonly request?: AdmissionRequest;
  readonly response?: AdmissionResponse;
}
