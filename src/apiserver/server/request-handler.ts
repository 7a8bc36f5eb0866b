import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestInfo } from '../../api/access/request-info.js';
import type { Status } from '../../api/protocol/status.js';
import type { Clock } from '../../base/clock.js';
import type { Logger } from '../../base/logger.js';
import { ANONYMOUS, type Authenticator } from '../auth/authenticator.js';
import type { RbacAuthorizer } from '../auth/rbac-authorizer.js';
import { authorizeRequest } from '../auth/request-authorization.js';
import { badRequest, bodyTimeout, internalError, StatusError } from '../errors/status-error.js';
import type { FlowClassifier } from '../flowcontrol/flow-classifier.js';
import type { ApiRequest } from '../transport/request/api-request.js';
import { assertTimeout, guardRequest } from '../transport/request/request-guard.js';
import { isMalformed, requestTarget } from '../transport/request/request-target.js';
import type { Outcome } from '../transport/response/outcome.js';
import { limitBody } from '../transport/request/body-limit.js';
import { respond, respondError } from '../transport/response/responder.js';
import { auditEvent, type AuditEvent } from './audit-event.js';
import { faultStatus, type FaultRule } from './fault-rule.js';
import type { Router } from './router.js';
import type { ServerFaults } from './server-faults.js';

interface RequestHandlerOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly authenticator: Authenticator;
  readonly authorizer: RbacAuthorizer;
  readonly flows: FlowClassifier;
  readonly router: Router;
  readonly faults: ServerFaults;
  readonly audit?: ((event: AuditEvent) => void) | undefined;
}

/** The result of a request, for its audit event. */
interface Answered {
  name: string;
  status: Status | undefined;
}

/** Handles requests: authentication, flow control, authorization, routing, response and audit. */
export class RequestHandler {
  constructor(private readonly options: RequestHandlerOptions) {}

  /** Handles one request; never rejects. */
  async handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { clock, authorizer, faults } = this.options;
    const { path, query } = requestTarget(message.url);
    if (isMalformed(path)) {
      response.writeHead(400, { 'Content-Type': 'text/plain; charset=utf-8' }).end('400 Bad Request');
      return;
    }
    const info = requestInfo(message.method ?? 'GET', path, query);
    let request: ApiRequest = {
      method: message.method ?? 'GET',
      path,
      query,
      message,
      user: ANONYMOUS,
      info,
      checkCreate: () => {
        authorizeRequest(authorizer, { ...request, info: { ...info, verb: 'create' } });
      },
      warnings: [],
      annotations: {},
    };
    const answered: Answered = { name: '', status: undefined };
    const auditID = auditIdOf(message);
    response.setHeader('Audit-Id', auditID);
    const auditStart = this.auditWhenDone(auditID, () => request, response, answered);
    const fault = faults.ruleFor(request);
    if (fault && (await this.disturbed(fault, request, response, answered))) return;
    limitBody(message, clock, () => {
      this.refuseUnfinished(request, response, answered);
    });
    try {
      request = this.authenticated(request);
      const outcome = await this.process(request, response, answered);
      if (isDropped(fault, response)) return;
      respond(response, request, outcome, clock.now());
      if (request.info.verb === 'watch') auditStart();
    } catch (error) {
      if (!isDropped(fault, response)) this.refuse(request, response, answered, error);
    }
  }

  private authenticated(request: ApiRequest): ApiRequest {
    const { message, info, query } = request;
    guardRequest(message);
    if (info.verb !== 'watch') assertTimeout(query);
    return { ...request, user: this.options.authenticator.authenticate(message) };
  }

  private async process(request: ApiRequest, response: ServerResponse, answered: Answered): Promise<Outcome> {
    const { authorizer, flows, router } = this.options;
    flows.mark(request, response);
    authorizeRequest(authorizer, request);
    const outcome = await router.route(request, response);
    await convertAll(outcome);
    if (outcome.type === 'object') answered.name = outcome.stored.object.metadata.name;
    return outcome;
  }

  /** Returns true if the fault ends the request before it is processed. */
  private async disturbed(
    fault: FaultRule,
    request: ApiRequest,
    response: ServerResponse,
    answered: Answered,
  ): Promise<boolean> {
    await this.options.faults.delay(fault, response);
    if (response.destroyed) return true;
    if (fault.drop === 'before') response.destroy();
    else if (fault.status !== undefined) this.refuse(request, response, answered, faultStatus(fault, request.info));
    else return false;
    return true;
  }

  /** Audits the request when its response closes; the returned function audits the start of a watch. */
  private auditWhenDone(
    auditID: string,
    request: () => ApiRequest,
    response: ServerResponse,
    answered: Readonly<Answered>,
  ): () => void {
    const { audit, clock } = this.options;
    if (!audit) return () => undefined;
    const receivedMs = clock.now();
    const record = (stage: AuditEvent['stage']): void => {
      const { statusCode: code } = response;
      audit(auditEvent(request(), { ...answered, auditID, stage, code, receivedMs, stageMs: clock.now() }));
    };
    response.once('close', () => {
      record('ResponseComplete');
    });
    return () => {
      record('ResponseStarted');
    };
  }

  /** Ends a request with an incomplete body; the connection cannot be used for another one. */
  private refuseUnfinished(request: ApiRequest, response: ServerResponse, answered: Answered): void {
    const { message } = request;
    if (response.headersSent) {
      message.destroy();
      return;
    }
    response.once('finish', () => message.destroy());
    this.refuse(request, response, answered, bodyTimeout());
  }

  /** Responds with an error, unless the request has been refused already. */
  private refuse(request: ApiRequest, response: ServerResponse, answered: Answered, error: unknown): void {
    if (answered.status) return;
    const { clock, logger } = this.options;
    const status = statusOf(error);
    answered.status = status.toStatus();
    // Errors caused by a client's disconnect are not logged.
    if (status.code >= 500 && !(error instanceof StatusError) && !response.destroyed)
      logger.error('request failed', { path: request.path, err: error });
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (status.details?.retryAfterSeconds !== undefined)
      response.setHeader('Retry-After', status.details.retryAfterSeconds);
    try {
      respondError(response, request, status, clock.now());
    } catch (unsent) {
      logger.error('writing the response failed', { path: request.path, err: unsent });
      response.destroy();
    }
  }
}

function auditIdOf({ headers }: IncomingMessage): string {
  return String(headers['audit-id'] ?? '') || randomUUID();
}

/** Closes the connection instead of a response, if a fault requires it. */
function isDropped(fault: FaultRule | undefined, response: ServerResponse): boolean {
  if (!fault?.drop) return false;
  response.destroy();
  return true;
}

function statusOf(error: unknown): StatusError {
  if (error instanceof StatusError) return error;
  // Go's stack grows, so kube-apiserver accepts 10,000 levels; Node's is enough for about 1,500.
  if (error instanceof RangeError && error.message === 'Maximum call stack size exceeded')
    return badRequest('the object is nested too deeply for the embedded server; reduce its nesting');
  return internalError(error instanceof Error ? error.message : String(error));
}

/** Converts all objects of an outcome in one call if this needs a webhook. */
async function convertAll(outcome: Outcome): Promise<void> {
  if (outcome.type !== 'object' && outcome.type !== 'list') return;
  const items = outcome.type === 'list' ? outcome.items : [outcome.stored];
  await outcome.resource.codec.prepare?.(items.map(({ object }) => object));
}
