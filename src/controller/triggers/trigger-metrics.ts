/** The metrics of the timers, sources and daemons of one controller. */
export interface TriggerMetrics {
  /** Counts a time of a timer that reconciles an object. */
  timerFired(timer: string): void;
  /** Counts an object that a source has named. */
  sourceEvent(source: string): void;
  sourceFailed(source: string): void;
  sourceRunning(source: string, isRunning: boolean): void;
  /** Called when a task starts (1) or ends (-1). */
  daemonTasks(daemon: string, change: 1 | -1): void;
  daemonFailed(daemon: string): void;
}
