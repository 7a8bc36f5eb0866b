import type { ManifestOptions } from '../operator.js';

/** The settings that the commands of a project share: the folder, layout and content of the manifests. */
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
  /** File with a text, such as a license, that generated files start with. */
  readonly headerFile?: string;
}
