import type { UnstructuredObject } from '../../api/kube-object.js';
import { stringifyYaml } from '../../base/yaml.js';

/** A file to write. */
export interface GeneratedFile {
  /** Relative to the output folder, with slashes. */
  readonly path: string;
  readonly content: string;
}

/** Objects as the documents of one YAML file that says where it comes from. */
export function yamlFile(path: string, sourceFile: string, objects: readonly UnstructuredObject[]): GeneratedFile {
  const header = `# Written by generate-manifests from ${sourceFile}; edits are lost.\n`;
  return { path, content: header + objects.map((object) => `---\n${stringifyYaml(object)}`).join('') };
}
