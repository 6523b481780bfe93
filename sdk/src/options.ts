import type { OperationId } from './types.js';

/** `fetch`, or a replacement for it. */
export type Fetch = (request: Request) => Promise<Response>;

/** The account to log in with. */
export interface Credentials {
  email: string;
  password: string;
  /**
   * For an account with a second factor: a code of its authenticator app, made for each log-in because it works
   * once, or a recovery code.
   */
  code?: string | (() => string | Promise<string>) | undefined;
}

/** One attempt of a call, about to be sent. */
export interface RequestEvent {
  operation: OperationId;
  /** 1 for the first attempt. */
  attempt: number;
  /** Headers can still be set. They include the bearer token. */
  request: Request;
}

/** The result of an attempt. */
export interface ResponseEvent extends RequestEvent {
  /** Undefined when there was none. The call reads its body: use a `clone()` to read it yourself. */
  response: Response | undefined;
  /** Why there was no response. */
  error: unknown;
  /** The time from the request to the headers of its answer. */
  milliseconds: number;
}

/** Callbacks for watching calls. */
export interface Hooks {
  /** Awaited before each attempt is sent. An error that it throws ends the call. */
  onRequest?: ((event: RequestEvent) => unknown) | undefined;
  /** Awaited after each attempt. An error that it throws ends the call. */
  onResponse?: ((event: ResponseEvent) => unknown) | undefined;
  /**
   * Gets one line of text for each attempt: operation, attempt, status, time and request id. No line holds a
   * token, a parameter or a body. `console.debug` fits here.
   */
  debug?: ((line: string) => unknown) | undefined;
}

/** How to reach the service, and which account to use. */
export interface AvowOptions extends Hooks {
  /** The URL of the service: `https://consent.example.com`, with a path if it has one. */
  baseUrl: string;
  /** A bearer token that `login` returned. It is not sent to public operations. */
  token?: string | undefined;
  /**
   * An API key, which `createKey` returned: for programs, instead of an account. Never put it into a web page.
   */
  apiKey?: string | undefined;
  /**
   * The account that the client logs in with: when an operation needs a login, before its token expires, and
   * when the token is refused. Never put them into a web page.
   */
  credentials?: Credentials | undefined;
  /** Replaces the global `fetch`. */
  fetch?: Fetch | undefined;
  /** Milliseconds for one attempt; for a file, until its headers arrive. Default 10000; 0 for no limit. */
  timeout?: number | undefined;
  /** The maximum number of retries. Default 2. */
  retries?: number | undefined;
  /** Headers of every request. */
  headers?: Record<string, string> | undefined;
}
