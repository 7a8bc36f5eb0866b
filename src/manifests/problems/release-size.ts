import { gzipSync } from 'node:zlib';
import type { GeneratedFile } from '../output/generated-file.js';

const MIB = 1024 * 1024;

/**
 * Warns about a chart that Helm cannot install: Helm stores the chart and its rendered objects, compressed and in base64, in a
 * Secret of at most 1 MiB.
 */
export function releaseSize(chart: string, files: readonly GeneratedFile[]): string[] {
  const templates = files.map(({ path, content }) => ({ name: path, data: Buffer.from(content).toString('base64') }));
  const manifest = files.map(({ content }) => content).join('');
  const stored = (gzipSync(JSON.stringify({ chart: { templates }, manifest })).length / 3) * 4;
  if (stored <= MIB) return [];
  return [
    `the chart of ${chart} needs about ${Math.ceil(stored / 1024)} KiB in the Secret of its release, and the API server limits ` +
      'a Secret to 1024 KiB: use --max-description-length 200, or divide the kinds between several operators',
  ];
}
