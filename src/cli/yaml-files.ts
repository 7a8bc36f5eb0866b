import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../base/operator-error.js';

/**
 * Returns a file, or the YAML and JSON files in a folder and its folders, by name.
 *
 * @throws OperatorError with the hint when it does not exist
 */
export function yamlFilesAt(path: string, hint: string): string[] {
  const status = statSync(path, { throwIfNoEntry: false });
  if (!status) throw new OperatorError(`${path} does not exist`, { code: 'E_NO_FILE', hint });
  if (!status.isDirectory()) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => isYaml(name) && !/(^|[/\\])node_modules[/\\]/.test(name))
    .sort()
    .map((name) => join(path, name));
}

/** Returns whether the name of a file is that of a YAML or JSON file. */
export function isYaml(name: string): boolean {
  return /\.(ya?ml|json)$/.test(name);
}
