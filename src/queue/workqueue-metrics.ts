/** What can be read of a queue at any time, such as when metrics are scraped. */
export interface WorkqueueProbe {
  /** Keys that wait to be taken, those in work that were added again included. */
  readonly depth: number;
  /** How long the keys in work have been so, summed: grows without end when a worker is stuck. */
  unfinishedWorkSeconds(): number;
  longestRunningSeconds(): number;
}

/**
 * Takes a queue's figures for the workqueue_* metrics of client-go; `queue` is the queue's name.
 *
 * Every method is called on the hot path and must neither throw nor wait.
 */
export interface WorkqueueMetrics {
  /** Once for each queue, when it is made: depth, unfinished work and longest runner are read at the scrape. */
  registered(queue: string, probe: WorkqueueProbe): void;
  /** workqueue_adds_total */
  added(queue: string): void;
  /** workqueue_queue_duration_seconds: from the first add until the key was taken. */
  taken(queue: string, seconds: number): void;
  /** workqueue_work_duration_seconds: from the take until done. */
  done(queue: string, seconds: number): void;
  /** workqueue_retries_total: adds with a delay, be it of a back-off or asked for. */
  retried(queue: string): void;
}
