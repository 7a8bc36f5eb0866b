import { ownMember } from '../../base/own-member.js';
import {
  eachObject,
  isJsonObject,
  numberAt,
  objectAt,
  stringAt,
  type ApiObject,
  type JsonObject,
} from '../objects/api-object.js';
import { specOf, statusOf } from './cell.js';

const SHOWN = 2;
const SOURCES: Readonly<Record<string, string>> = {
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
  ContainerResource: 'containerResource',
};

/** Formats the current and target metrics of an autoscaler, like formatHPAMetrics of the real server's printers. */
export function metricTargets(autoscaler: ApiObject): string {
  const { metrics, targetCPUUtilizationPercentage: cpu } = specOf(autoscaler);
  const current = eachObject(statusOf(autoscaler).currentMetrics);
  const texts = eachObject(metrics).map((metric, index) => metricText(metric, current[index]));
  if (texts.length === 0 && cpu !== undefined)
    texts.push(`cpu: ${percent(statusOf(autoscaler).currentCPUUtilizationPercentage)}/${Number(cpu)}%`);
  const shown = texts.slice(0, SHOWN).join(', ');
  return texts.length > SHOWN ? `${shown} + ${texts.length - SHOWN} more...` : shown || '<none>';
}

function metricText(metric: JsonObject, measured: JsonObject | undefined): string {
  const source = ownMember(SOURCES, stringAt(metric, 'type'));
  if (source === undefined) return '<unknown type>';
  const spec = objectAt(metric, source);
  const target = objectAt(spec, 'target');
  const now = isJsonObject(measured?.[source]) ? objectAt(measured[source], 'current') : undefined;
  const hasAverage = target.averageValue !== undefined;
  if (source === 'pods') return `${amount(now, 'averageValue')}/${amount(target, 'averageValue')}`;
  if (source.endsWith('esource')) {
    const name = stringAt(spec, 'name');
    if (hasAverage) return `${name}: ${amount(now, 'averageValue')}/${amount(target, 'averageValue')}`;
    return `${name}: ${percent(now?.averageUtilization)}/${percent(target.averageUtilization, '<auto>')}`;
  }
  if (hasAverage) return `${amount(now, 'averageValue')}/${amount(target, 'averageValue')} (avg)`;
  return `${amount(now, 'value')}/${amount(target, 'value')}`;
}

function amount(from: JsonObject | undefined, field: string): string {
  return from === undefined ? '<unknown>' : stringAt(from, field) || '<nil>';
}

function percent(share: unknown, otherwise = '<unknown>'): string {
  const value = numberAt({ share }, 'share');
  return value === undefined ? otherwise : `${value}%`;
}
