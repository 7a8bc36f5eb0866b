import type { ManifestOptions } from '../operator.js';
import type { PartFolders } from '../output/part-folders.js';

/** The settings that the commands of a project share: the folder, layout and content of the manifests. */
export interface ProjectSettings extends Pick<
  ManifestOptions,
  | 'layout'
  | 'image'
  | 'version'
  | 'namespace'
  | 'watchNamespaces'
  | 'namespaceSelector'
  | 'namespacePatterns'
  | 'certificates'
  | 'monitoring'
  | 'docs'
  | 'olm'
  | 'featureGates'
  | 'maxDescriptionLength'
  | 'deployment'
  | 'deployments'
> {
  /** Output folder. */
  readonly out?: string;
  /** Folders of parts within the output folder, only with the plain layout. */
  readonly folders?: PartFolders;
  /** File with a text, such as a license, that generated files start with. */
  readonly headerFile?: string;
}
