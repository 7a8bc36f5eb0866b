import type { KindRef } from '../api/kind-ref.js';
import type { CacheUsage } from '../manager/cache-usage.js';
import { countNoun } from './count-noun.js';

/** The minimum share of a field in the report. */
const NOTABLE = 0.1;

/** Describes the caches of an operator, and what would make the largest ones smaller, in lines of text. */
export function cacheReport(usages: readonly CacheUsage[]): string[] {
  const total = usages.reduce((sum, { bytes }) => sum + bytes, 0);
  return [`Caches: ${size(total)} as JSON`, ...usages.flatMap(describe)];
}

function describe(usage: CacheUsage): string[] {
  const { kind, objects, bytes, shares, controllers } = usage;
  const line = `  ${kind.kind}${partOf(kind)}: ${countNoun(objects, 'object')}, ${size(bytes)}, for ${controllers.join(', ')}`;
  const large = Object.entries(shares).filter(([, share]) => share >= NOTABLE);
  if (objects === 0 || kind.part?.isMetadataOnly) return [line];
  const fields = large.map(([field, share]) => `${field} ${percent(share)}`).join(', ');
  const saved = 1 - (shares['metadata'] ?? 0);
  const advice = kind.part?.fields ? '' : `; partOf(${kind.kind}, { metadataOnly: true }) would save ${percent(saved)}`;
  return [line, `    ${fields}${advice}`];
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
