import { classDocs } from '../../resource/doc-comments.js';
import type { ManifestSource } from '../operator.js';

/** Warns about classes that another compiler has compiled: facts of their source are lost that their schema contains. */
export function compiledClasses(sources: readonly ManifestSource[]): string[] {
  const lost = sources.filter(
    ({ model: { fields, target }, sourceFile }) =>
      /\.[cm]?js$/.test(sourceFile) && fields.length > 0 && !classDocs(target),
  );
  if (lost.length === 0) return [];
  const files = [...new Set(lost.map(({ sourceFile }) => sourceFile))].join(', ');
  return [
    `${files}: JavaScript of another compiler does not contain question marks, types with null and doc comments of fields, ` +
      'so that the schema differs from that of the sources; pass the TypeScript files',
  ];
}
