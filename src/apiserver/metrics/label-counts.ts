export type Labels = Readonly<Record<string, string>>;

/** How often something happened, by its labels. */
export class LabelCounts {
  private readonly counts = new Map<string, { readonly labels: Labels; count: number }>();

  add(labels: Labels, difference: number): void {
    const key = Object.values(labels).join('\n');
    const present = this.counts.get(key);
    if (present) present.count += difference;
    else this.counts.set(key, { labels, count: difference });
  }

  entries(): (readonly [Labels, number])[] {
    return [...this.counts.values()].map(({ labels, count }) => [labels, count]);
  }
}
