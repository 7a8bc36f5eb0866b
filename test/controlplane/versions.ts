/** Kubernetes, as pinned in go.mod. */
export const KUBERNETES_VERSION = 'v1.36.3';
export const KWOK_VERSION = 'v0.8.0';
export const CONTROLLER_GEN_VERSION = 'v0.23.0';
/** The release of Go that Kubernetes asks for in its go.mod. */
export const GO_VERSION = '1.26';
/** For the tests of charts only. */
export const HELM_VERSION = 'v3.19.2';
