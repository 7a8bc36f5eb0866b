import { OperatorError } from '../../base/operator-error.js';
import type { GeneratedFile } from './generated-file.js';

/** The parts of the plain layout that can have a folder of their own. */
export const MANIFEST_PARTS = ['crds', 'roles', 'webhooks', 'samples', 'monitoring'] as const;

type ManifestPart = (typeof MANIFEST_PARTS)[number];

/** Folders of parts, relative to the output folder. */
export type PartFolders = Readonly<Partial<Record<ManifestPart, string>>>;

/** A relative path of folders, without `.` and `..`. */
export const FOLDER_PATTERN = '^[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$';

/** The files of each part, by their paths in the plain layout. The groups are joined to the path in the new folder. */
const FILES: Readonly<Record<ManifestPart, RegExp>> = {
  crds: /^([^/]+\.yaml)$/,
  roles: /^([^/]+\/)(0[23]-role(?:s|-bindings)\.yaml)$/,
  webhooks: /^([^/]+\/)(08-webhooks\.yaml)$/,
  samples: /^samples\/([^/]+)$/,
  monitoring: /^([^/]+\/)monitoring\/([^/]+)$/,
};

/**
 * Returns the files of the plain layout with their paths in the folders of their parts.
 *
 * @throws OperatorError if two files have the same path then
 */
export function inPartFolders(files: readonly GeneratedFile[], folders: PartFolders): GeneratedFile[] {
  const operators = new Set(files.flatMap(({ path }) => /^([^/]+)\/\d\d-/.exec(path)?.[1] ?? []));
  const moved = files.map((file) => ({ ...file, path: pathIn(folders, file.path, operators) }));
  const paths = new Set<string>();
  for (const { path } of moved) {
    if (paths.has(path))
      throw new OperatorError(`two generated files have the path ${path}`, {
        code: 'E_OUTPUT',
        hint: 'choose another folder with --folder or "folders" of package.json',
      });
    paths.add(path);
  }
  return moved;
}

function pathIn(folders: PartFolders, path: string, operators: ReadonlySet<string>): string {
  for (const part of MANIFEST_PARTS) {
    const folder = folders[part];
    const names = folder === undefined ? undefined : FILES[part].exec(path)?.slice(1);
    // Among the numbered files of an operator, a definition has a number too, which is before that of the Deployment.
    const number = part === 'crds' && operators.has(folder ?? '') ? '04-' : '';
    if (names) return `${folder}/${number}${names.join('')}`;
  }
  return path;
}
