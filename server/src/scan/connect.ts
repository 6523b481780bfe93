import { type Connector, createConnector } from '../net/connector';
import { inTurn } from '../net/lookups';
import type { Policy } from '../net/policy';
import type { Budget } from './limits';

const CONNECT_MS = 5_000;
/** Names that one visit asks for at a time: a page full of silent ones keeps no other visit waiting. */
const MAX_ASKED = 16;

/** How a visit connects: everything that it began ends with its budget. */
export const connectorOf = (policy: Policy, budget: Budget): Connector =>
  createConnector(
    { ...policy, lookup: inTurn(policy.lookup, MAX_ASKED) },
    { connectMs: CONNECT_MS, ca: undefined, closed: budget.signal },
  );
