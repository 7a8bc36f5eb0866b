import {
  Context,
  CustomResource,
  Field,
  type InjectionToken,
  Inject,
  Kind,
  type MappedObject,
  Source,
  type SourceContext,
  type SourceRequest,
  type StartContext,
} from 'kindwright';

/** A ticket of the external service. */
interface RemoteTicket {
  readonly id: string;
  readonly state: string;
}

/** The client of the external service. */
export abstract class TicketService {
  /** Returns the tickets that changed after the call that returned the cursor. */
  abstract changes(cursor: string, signal: AbortSignal): Promise<{ cursor: string; ids: string[] }>;
  abstract get(id: string, signal: AbortSignal): Promise<RemoteTicket>;
}

/** The service at a URL. */
export class HttpTicketService extends TicketService {
  constructor(private readonly url: string) {
    super();
  }

  override changes(cursor: string, signal: AbortSignal): Promise<{ cursor: string; ids: string[] }> {
    return this.read(`/changes?after=${encodeURIComponent(cursor)}`, signal);
  }

  override get(id: string, signal: AbortSignal): Promise<RemoteTicket> {
    return this.read(`/tickets/${encodeURIComponent(id)}`, signal);
  }

  private async read<T>(path: string, signal: AbortSignal): Promise<T> {
    const response = await fetch(this.url + path, { signal });
    if (!response.ok) throw new Error(`${path}: HTTP ${response.status}`);
    return (await response.json()) as T;
  }
}

export class TicketSpec {
  @Field({ minLength: 1 }) id!: string;
}

class TicketStatus {
  @Field() state?: string;
}

/** Shows the state of a ticket of an external service. */
@Kind({ group: 'tickets.example.com', version: 'v1' })
export class Ticket extends CustomResource {
  @Field() spec!: TicketSpec;
  @Field() status!: TicketStatus;

  @Inject(TicketService as InjectionToken<TicketService>) readonly service!: TicketService;

  private static cursor = '';

  static onStart({ provide, isProvided }: StartContext): void {
    if (isProvided(TicketService)) return;
    provide(TicketService, new HttpTicketService(process.env['TICKETS_URL'] ?? 'http://127.0.0.1:9000'));
  }

  /** Asks the service for changes. The cursor moves when the answer is here, so a failed call loses nothing. */
  @Source({ every: '1s' })
  static async changed({ cache, inject, signal }: SourceContext): Promise<MappedObject[]> {
    const { cursor, ids } = await inject(TicketService).changes(this.cursor, signal);
    this.cursor = cursor;
    return metadataOf(cache, ids);
  }

  /** Takes changes that the service sends, between two polls. */
  @Source({ path: '/hooks/tickets', auth: { hmac: { env: 'TICKETS_HOOK_SECRET' } } })
  static pushed({ cache }: SourceContext, request: SourceRequest): MappedObject[] {
    const { ids } = request.json() as { ids: string[] };
    return metadataOf(cache, ids);
  }

  async reconcile(ctx: Context): Promise<void> {
    const { state } = await this.service.get(this.spec.id, ctx.signal);
    this.status.state = state;
  }
}

/** The objects of tickets. */
function metadataOf(cache: SourceContext['cache'], ids: readonly string[]): MappedObject[] {
  const tickets = cache.list(Ticket).filter(({ spec }) => ids.includes(spec.id));
  return tickets.map(({ metadata }) => metadata);
}
