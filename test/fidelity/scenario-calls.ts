import type { ApiCall } from './api-endpoint.js';

export const NS = 'fidelity';
export const core = (plural: string, name = '', rest = ''): string =>
  `/api/v1/namespaces/${NS}/${plural}${name && `/${name}`}${rest}`;
export const group = (apiVersion: string, plural: string, name = '', rest = ''): string =>
  `/apis/${apiVersion}/namespaces/${NS}/${plural}${name && `/${name}`}${rest}`;

export const MERGE = 'application/merge-patch+json';
export const JSON_PATCH = 'application/json-patch+json';
export const STRATEGIC = 'application/strategic-merge-patch+json';
export const APPLY = 'application/apply-patch+yaml';

export const post = (path: string, body: unknown): ApiCall => ({ method: 'POST', path, body });
export const put = (path: string, body: unknown): ApiCall => ({ method: 'PUT', path, body });
export const patch = (path: string, contentType: string, body: unknown): ApiCall => ({
  method: 'PATCH',
  path,
  contentType,
  body,
});
export const apply = (path: string, manager: string, body: unknown, force = false): ApiCall =>
  patch(`${path}?fieldManager=${manager}${force ? '&force=true' : ''}`, APPLY, body);
export const get = (path: string, accept?: string): ApiCall => ({
  method: 'GET',
  path,
  ...(accept !== undefined && { accept }),
});
export const del = (path: string, body?: unknown): ApiCall => ({
  method: 'DELETE',
  path,
  ...(body !== undefined && { body }),
});
export const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

export const cm = (name: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  ...more,
});
export const labels = { app: 'x' };
export const container = {
  name: 'c',
  image: 'busybox',
  ports: [{ containerPort: 80 }],
  env: [{ name: 'A', value: '1' }],
};
export const template = { metadata: { labels }, spec: { containers: [container] } };

export const widgets = (name = '', rest = '') => group('fidelity.example.com/v1', 'widgets', name, rest);
export const widget = (name: string, spec: object, more: object = {}) => ({
  apiVersion: 'fidelity.example.com/v1',
  kind: 'Widget',
  metadata: { name },
  spec,
  ...more,
});
