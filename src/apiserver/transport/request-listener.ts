import type { IncomingMessage, ServerResponse } from 'node:http';

/** Answers requests, of HTTP/2 too: these come in the forms of HTTP/1. */
export type RequestListener = (message: IncomingMessage, response: ServerResponse) => void;
