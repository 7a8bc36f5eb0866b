/** The way the events of one watch take to its client. */
export interface EventStream {
  /** @param onClose told once there is nobody any more to write to */
  begin(contentType: string, onClose: () => void): void;
  write(events: readonly Buffer[]): void;
  end(): void;
  abort(): void;
  /** What the client has yet to read. */
  readonly backlogBytes: number;
}
