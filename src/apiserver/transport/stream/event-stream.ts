/** The transport of one watch's events to its client. */
export interface EventStream {
  /** @param onClose called when the connection is closed */
  begin(contentType: string, onClose: () => void): void;
  write(events: readonly Buffer[]): void;
  end(): void;
  abort(): void;
  /** Bytes that the client has not read yet. */
  readonly backlogBytes: number;
}
