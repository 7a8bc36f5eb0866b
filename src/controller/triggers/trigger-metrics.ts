/** The metrics of the timers, sources and daemons of one controller. */
export interface TriggerMetrics {
  /** Counts a time of a timer that reconciles an object. */
  timerFired(timer: string): void;
}
