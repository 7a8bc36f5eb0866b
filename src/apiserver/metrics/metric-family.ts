/** One value of a metric, with its labels as they are written between the braces. */
export type Sample = readonly [labels: string, value: number];

/** A metric in Prometheus' text format, with all its values in the order of their labels; none without values. */
export function metricFamily(name: string, type: 'counter' | 'gauge', help: string, samples: Iterable<Sample>): string {
  const lines = [...samples].map(([labels, value]) => `${name}${labels && `{${labels}}`} ${value}\n`).sort();
  return lines.length === 0 ? '' : [`# HELP ${name} ${help}\n`, `# TYPE ${name} ${type}\n`, ...lines].join('');
}

/** Labels in the order of their names, as a text. */
export function labelsText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(',');
}
