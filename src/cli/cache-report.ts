import type { KindRef } from '../api/kinds/kind-ref.js';
import type { CacheUsage } from '../manager/informers/cache-usage.js';
import { countNoun } from './count-noun.js';

/** The minimum share of a field in the report. */
const NOTABLE = 0.1;

/** Describes the caches of an operator, and what would make the largest ones smaller, in lines of text. */
export function cacheReport(usages: readonly CacheUsage[]): string[] {
  const total = usages.reduce((sum, { bytes }) => sum + bytes, 0);
  return [`Caches: ${size(total)} as JSON`, ...usages.flatMap(describe)];
}

function describe(usage: CacheUsage): string[] {
  const { kind, objects, bytes, shares, controllers, cluster } = usage;
  const name = `${kind.kind}${partOf(kind)}${cluster === undefined ? '' : ` of cluster ${cluster}`}`;
  const line = `  ${name}: ${countNoun(objects, 'object')}, ${size(bytes)}, for ${controllers.join(', ')}`;
  const large = Object.entries(shares).filter(([, share]) => share >= NOTABLE);
  if (objects === 0 || kind.part?.isMetadataOnly) return [line];
  const fields = large.map(([field, share]) => `${field} ${percent(share)}`).join(', ');
  return [line, `    ${fields}${kind.part?.fields ? '' : advice(usage)}`];
}

/** States what metadata only would save, and what the small fields would that a class may need besides. */
function advice({ kind, shares }: CacheUsage): string {
  const metadataOnly = 1 - (shares['metadata'] ?? 0);
  const text = `; partOf(${kind.kind}, { metadataOnly: true }) would save ${percent(metadataOnly)}`;
  const large = Object.entries(shares).filter(([field, share]) => share >= NOTABLE && field !== 'metadata');
  const withoutLarge = large.reduce((sum, [, share]) => sum + share, 0);
  if (large.length === 0 || percent(withoutLarge) === percent(metadataOnly)) return text;
  return `${text}, fields without ${large.map(([field]) => field).join(' and ')} ${percent(withoutLarge)}`;
}

function partOf({ part }: KindRef): string {
  if (!part) return '';
  const { fields, isMetadataOnly, labelSelector, fieldSelector } = part;
  const held = isMetadataOnly ? ['metadata only'] : fields ? [`only ${fields.join(', ')}`] : [];
  const selectors = [labelSelector, fieldSelector].filter((selector) => selector !== undefined);
  const all = [...held, ...selectors.map((selector) => `selected by ${selector}`)];
  return all.length === 0 ? '' : ` (${all.join('; ')})`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function size(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
