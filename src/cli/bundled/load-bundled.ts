import { normalize } from 'node:path/posix';
import type { KindRef } from '../../api/kinds/kind-ref.js';
import { nearest } from '../../base/nearest.js';
import { OperatorError } from '../../base/operator-error.js';
import { buildCheckedModels } from '../../resource/build-models.js';
import type { ResourceClass } from '../../resource/model.js';
import { isAnnotated, isOperator } from '../operator-class.js';
import type { LoadedOperators } from '../run-on-cluster.js';
import type { Bundle } from './bundle.js';

/**
 * Loads operators of a bundle; without names, all of them. Only the modules of these files are loaded. `kindwright build`
 * has checked the classes, so they are not checked again.
 *
 * @param names - source files, relative to the project
 * @throws OperatorError (E_NO_FILE) for a file that is not part of the bundle
 */
export async function loadBundled({ files }: Bundle, names: readonly string[]): Promise<LoadedOperators> {
  const sources = new Map<ResourceClass, string>();
  const caches = new Set<KindRef>();
  for (const file of names.length > 0 ? names.map((name) => normalize(name)) : Object.keys(files)) {
    const { caches: listed = [], ...exported } = await loadFile(files, file);
    for (const kind of listed) caches.add(kind);
    const operators = Object.values<unknown>(exported).filter(isAnnotated).filter(isOperator);
    for (const target of operators) if (!sources.has(target)) sources.set(target, file);
  }
  const models = buildCheckedModels([...sources.keys()]);
  return {
    resources: models.map((model) => ({ model, sourceFile: sources.get(model.target) ?? '' })),
    caches: [...caches],
  };
}

async function loadFile(files: Bundle['files'], file: string): Promise<{ readonly caches?: readonly KindRef[] }> {
  const load = Object.hasOwn(files, file) ? files[file] : undefined;
  if (!load) throw unknownFile(file, Object.keys(files));
  return load();
}

function unknownFile(file: string, known: readonly string[]): OperatorError {
  const similar = nearest(file, known);
  return new OperatorError(`${file} is not part of this bundle`, {
    code: 'E_NO_FILE',
    hint:
      similar === undefined
        ? `it contains ${known.join(', ')}; run kindwright build again`
        : `did you mean ${similar}?`,
  });
}
