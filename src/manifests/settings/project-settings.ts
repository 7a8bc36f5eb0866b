import type { ManifestOptions } from '../operator.js';

/** Settings of a project that its commands share: where manifests are written, and what is in them. */
export interface ProjectSettings extends Pick<
  ManifestOptions,
  | 'layout'
  | 'image'
  | 'namespace'
  | 'watchNamespaces'
  | 'certificates'
  | 'monitoring'
  | 'maxDescriptionLength'
  | 'deployment'
  | 'deployments'
> {
  /** Output folder. */
  readonly out?: string;
}
