import { type Connector, createConnector } from '../net/connector';
import { inTurn } from '../net/lookups';
import type { Policy } from '../net/policy';
import type { Budget } from './limits';

const CONNECT_MS = 5_000;
/** Concurrent DNS queries per visit: a page full of unresponsive names must not delay other visits. */
const MAX_ASKED = 16;

/** How a visit connects: all its connections end with its budget. */
export const connectorOf = (policy: Policy, budget: Budget): Connector =>
  createConnector(
    { ...policy, lookup: inTurn(policy.lookup, MAX_ASKED) },
    { connectMs: CONNECT_MS, ca: undefined, closed: budget.signal },
  );
