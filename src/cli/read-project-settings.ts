import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { displayPath } from '../base/display-path.js';
import { parseProjectSettings } from '../manifests/settings/parse-project-settings.js';
import type { ProjectSettings } from '../manifests/settings/project-settings.js';

/**
 * The settings in the `kindwright` member of the nearest package.json, in the folder or above it.
 *
 * @throws OperatorError that lists every unknown key and invalid value
 */
export function readProjectSettings(folder = process.cwd()): ProjectSettings {
  const path = join(folder, 'package.json');
  if (existsSync(path)) return parseProjectSettings(readFileSync(path, 'utf8'), displayPath(path));
  const parent = dirname(folder);
  return parent === folder ? {} : readProjectSettings(parent);
}
