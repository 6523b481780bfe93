import type { Caller } from '../api/handler';
import type { Operation } from '../contract/operations';
import type { Site } from '../ingest/site';
import type { Body } from './body';
import type { RateLimiter } from './rate-limit';

/** A request that has passed the contract. */
export interface ValidRequest {
  operation: Operation;
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: Body | undefined;
  address: string;
  limiter?: RateLimiter | undefined;
  caller?: Caller;
  site?: Site;
  /** The page's form that makes the request: its idempotency key is of this server, so that nobody can take another's. */
  isForm?: boolean;
  /** Whether whoever asked is shown sessions' ids, once their role is known. */
  seesSessions?: boolean;
}
