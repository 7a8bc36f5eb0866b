import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { displayPath } from '../base/display-path.js';
import { readText } from '../base/read-text.js';
import { parseProjectSettings } from '../manifests/settings/parse-project-settings.js';
import type { ProjectSettings } from '../manifests/settings/project-settings.js';

/**
 * The settings in the `kindwright` member of the nearest package.json, in the folder or above it.
 *
 * @throws OperatorError that lists every unknown key and invalid value
 */
export function readProjectSettings(folder = process.cwd()): ProjectSettings {
  const path = join(folder, 'package.json');
  if (existsSync(path)) {
    const text = readText(path);
    return { ...parseProjectSettings(text, displayPath(path)), ...versionIn(text) };
  }
  const parent = dirname(folder);
  return parent === folder ? {} : readProjectSettings(parent);
}

/** The version of the package, as charts require it. */
function versionIn(text: string): Pick<ProjectSettings, 'version'> {
  const { version } = JSON.parse(text) as { readonly version?: unknown };
  return typeof version === 'string' && /^\d+\.\d+\.\d+(-[\w.-]+)?(\+[\w.-]+)?$/.test(version) ? { version } : {};
}
