/** `fetch`, or what stands in for it. */
export type Fetch = (request: Request) => Promise<Response>;

/** Whom to log in. */
export interface Credentials {
  email: string;
  password: string;
}

/** How to reach the service, and as whom. */
export interface AvowOptions {
  /** Where the service is: `https://consent.example.com`, with a path if it has one. */
  baseUrl: string;
  /** A bearer token that `login` returned. Public operations need none and are sent none. */
  token?: string | undefined;
  /** Logs in when an operation needs it, before the token ends, and when it is refused. Never put them into a web page. */
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
