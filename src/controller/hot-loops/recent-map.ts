/** A map that drops entries when they have not been used for one to two periods. */
export class RecentMap<V> {
  private current = new Map<string, V>();
  private previous = new Map<string, V>();
  private periodStartMs = 0;

  constructor(private readonly periodMs: number) {}

  get(key: string, nowMs: number): V | undefined {
    this.startPeriod(nowMs);
    const value = this.current.get(key) ?? this.previous.get(key);
    if (value !== undefined && !this.current.has(key)) this.current.set(key, value);
    return value;
  }

  set(key: string, value: V, nowMs: number): void {
    this.startPeriod(nowMs);
    this.current.set(key, value);
  }

  delete(key: string): void {
    this.current.delete(key);
    this.previous.delete(key);
  }

  private startPeriod(nowMs: number): void {
    const elapsedMs = nowMs - this.periodStartMs;
    if (elapsedMs < this.periodMs) return;
    this.previous = elapsedMs < 2 * this.periodMs ? this.current : new Map<string, V>();
    this.current = new Map<string, V>();
    this.periodStartMs = nowMs;
  }
}
