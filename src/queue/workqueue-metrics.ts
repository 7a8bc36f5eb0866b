/** The state of a queue that can be read at any time, such as when metrics are scraped. */
export interface WorkqueueProbe {
  /** Number of keys waiting to be taken, including those in work that were added again. */
  readonly depth: number;
  /** How long the oldest of these keys has been waiting; 0 when none waits. Grows while a key starves. */
  oldestWaitingSeconds(): number;
  /** The sum of the processing times of the keys that are being processed; grows without limit when a worker is stuck. */
  unfinishedWorkSeconds(): number;
  longestRunningSeconds(): number;
}

/**
 * Receives a queue's measurements for the workqueue_* metrics of client-go; `queue` is the queue's name.
 *
 * Every method is called on the hot path and must neither throw nor block.
 */
export interface WorkqueueMetrics {
  /** Called once when a queue is created. The probe is read at each scrape. */
  registered(queue: string, probe: WorkqueueProbe): void;
  /** workqueue_adds_total */
  added(queue: string): void;
  /** workqueue_queue_duration_seconds: from the first add until the key was taken. */
  taken(queue: string, seconds: number): void;
  /** workqueue_work_duration_seconds: from the take until done. */
  done(queue: string, seconds: number): void;
  /** workqueue_retries_total: adds with a delay, from back-off or on request. */
  retried(queue: string): void;
}
