import type { OperationId } from './types.js';

/** `fetch`, or what stands in for it. */
export type Fetch = (request: Request) => Promise<Response>;

/** The account to log in with. */
export interface Credentials {
  email: string;
  password: string;
}

/** One attempt of a call that is about to be sent. */
export interface RequestEvent {
  operation: OperationId;
  /** 1 for the first attempt. */
  attempt: number;
  /** Its headers can still be set; they hold the bearer token. */
  request: Request;
}

/** What became of an attempt. */
export interface ResponseEvent extends RequestEvent {
  /** Undefined when there was none. Its body belongs to the call: read that of a `clone()`. */
  response: Response | undefined;
  /** Why there was none. */
  error: unknown;
  /** From the request to the headers of its answer. */
  milliseconds: number;
}

/** What a program may watch of its calls. */
export interface Hooks {
  /** Is awaited before each attempt is sent; what it throws ends the call. */
  onRequest?: ((event: RequestEvent) => unknown) | undefined;
  /** Is awaited after each attempt; what it throws ends the call. */
  onResponse?: ((event: ResponseEvent) => unknown) | undefined;
  /**
   * Gets a line for each attempt, such as `console.debug`: operation, attempt, status, time and request id.
   * No line holds a token, a parameter or a body.
   */
  debug?: ((line: string) => unknown) | undefined;
}

/** How to reach the service, and as whom. */
export interface AvowOptions extends Hooks {
  /** Where the service is: `https://consent.example.com`, with a path if it has one. */
  baseUrl: string;
  /** A bearer token that `login` returned. Public operations need none and are sent none. */
  token?: string | undefined;
  /**
   * Logs in when an operation needs it, before the token ends, and when it is refused. Never put them into a
   * web page.
   */
  credentials?: Credentials | undefined;
  /** Stands in for the global `fetch`. */
  fetch?: Fetch | undefined;
  /** Milliseconds for one attempt; of a file, until its headers are here. Default 10000; 0 for no limit. */
  timeout?: number | undefined;
  /** How many attempts may follow the first. Default 2. */
  retries?: number | undefined;
  /** Headers of every request. */
  headers?: Record<string, string> | undefined;
}
