import { goQuoted } from '../../base/go-quoted.js';
import { eachObject, isJsonObject, objectAt, stringAt, type JsonObject } from '../objects/api-object.js';

/** The path of a file in a volume, and its source. */
interface PlacedFile {
  readonly path: string;
  readonly source: string;
}

/** Returns warnings for files of a volume with overlapping paths: warningsForOverlappingVirtualPaths of pkg/api/pod. */
export function pathWarnings(spec: JsonObject): string[] {
  return eachObject(spec.volumes).flatMap((volume) => [
    ...overlaps(volume, namedSource('ConfigMap', volume.configMap, 'name'), filesOf(volume.configMap, '')),
    ...overlaps(volume, namedSource('Secret', volume.secret, 'secretName'), filesOf(volume.secret, '')),
    ...overlaps(volume, 'DownwardAPI', filesOf(volume.downwardAPI, '')),
    ...projectedWarnings(volume),
  ]);
}

const namedSource = (kind: string, source: unknown, key: string): string =>
  `${kind} ${goQuoted(stringAt(source, key))}`;

function filesOf(source: unknown, name: string): PlacedFile[] {
  return eachObject(isJsonObject(source) ? source.items : undefined).map((item) => ({
    path: stringAt(item, 'path'),
    source: name,
  }));
}

function projectedWarnings(volume: JsonObject): string[] {
  const sources = eachObject(objectAt(volume, 'projected').sources);
  const name = goQuoted(String(volume.name));
  const empty = sources.filter((source) => !Object.values(source).some(isJsonObject));
  return [
    ...empty.map(() => `volume ${name} (Projected) has no sources provided`),
    ...overlaps(volume, 'Projected', sources.flatMap(projectedFiles)),
  ];
}

function projectedFiles({ configMap, secret, downwardAPI, serviceAccountToken: token }: JsonObject): PlacedFile[] {
  const files = [
    ...filesOf(configMap, namedSource('ConfigMap', configMap, 'name')),
    ...filesOf(secret, namedSource('Secret', secret, 'name')),
    ...filesOf(downwardAPI, 'DownwardAPI'),
  ];
  return isJsonObject(token) ? [...files, { path: stringAt(token, 'path'), source: 'ServiceAccountToken' }] : files;
}

function overlaps(volume: JsonObject, what: string, files: readonly PlacedFile[]): string[] {
  const placed = files.map(({ path, source }) => ({ path: path.replace(/\/+$/, ''), source }));
  return placed.flatMap((file, index) =>
    placed
      .slice(0, index)
      .filter((other) => file.path !== '' && other.path !== '' && isWithin(file.path, other.path))
      .map((other) => {
        const body = `${textOfFile(file)} with ${textOfFile(other)}`;
        return `volume ${goQuoted(String(volume.name))} (${what}): overlapping paths: ${body}`;
      }),
  );
}

function isWithin(one: string, other: string): boolean {
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
}

function textOfFile({ path, source }: PlacedFile): string {
  const quoted = goQuoted(path);
  return source === '' ? quoted : `${quoted} (${source})`;
}
