import type { Operation, OperationId } from '../contract/operations';
import { rateLimited } from '../domain/errors';
import { blockOf } from '../domain/mask';
import { inRequests } from '../domain/size';
import type { ValidRequest } from './valid-request';

/** Entries in the audit trail of a site, from one login or API key: more than any program has to make. */
const ENTRIES = 50_000;
/** Of requests that strangers send to a site from one block of addresses, in parts of 4 KiB. */
const REQUESTS = 500;
/** The same of everything else that they store on owners' connections, such as form consents. */
const STORED = 10_000;

/**
 * Changes that nothing else bounds. What ends or takes away something is not among them, so that whoever stole a login
 * cannot use up what its owner needs against them; nor is what visitors decided.
 */
const CHANGES: ReadonlySet<OperationId> = new Set([
  'addDsarComment',
  'checkDomain',
  'createAnswerTemplate',
  'createKey',
  'createWebhook',
  'fillSearchList',
  'reactivateWebhook',
  'redeliver',
  'resumeWebhook',
  'setScanSchedule',
  'setSiteSystems',
  'testWebhook',
  'updateAnswerTemplate',
  'updateEnvironment',
  'updateNotificationSettings',
  'updateSearchLine',
  'updateWebhook',
]);

/** What a day counts of a request, and how often it is allowed; undefined: nothing. */
function countedOf(
  { operation, caller, site, address, body }: ValidRequest,
  environmentId: string | undefined,
): { key: string; most: number; n: number; why: string } | undefined {
  if (caller !== undefined) {
    if (!leavesEntries(operation)) return undefined;
    const who = caller.key === undefined ? `login of ${caller.userId}` : `key ${caller.key.id}`;
    return {
      ...{ key: `${who} ${environmentId ?? ''}`, most: ENTRIES, n: 1 },
      why: 'You have changed or exported too much at this site within 24 hours',
    };
  }
  if (site === undefined || !operation.visitor || !operation.transaction) return undefined;
  return {
    key: `${operation.id} ${site.id} ${blockOf(address)}`,
    most: operation.limit === undefined ? STORED : REQUESTS,
    n: 1 + inRequests(body?.raw.length ?? 0),
    why: 'Too much of this was sent to this site from your network within 24 hours',
  };
}

const leavesEntries = ({ id, audit }: Operation): boolean => audit === 'export' || CHANGES.has(id);

/**
 * Limits by the day, in each process, what is kept for years and cannot be taken back: entries in the audit trail, and
 * what strangers store. Returns what counts it, for when it is done: what is refused costs nothing. Throws 429.
 */
export function limitDay(valid: ValidRequest, environmentId: string | undefined): () => void {
  const counted = countedOf(valid, environmentId);
  if (counted === undefined || valid.limiter === undefined) return () => undefined;
  const { key, most, n, why } = counted;
  const wait = valid.limiter.waitOfDay(key, most);
  if (wait > 0) throw rateLimited(wait, `${why}: try again in ${wait} s.`);
  return () => valid.limiter?.countOfDay(key, n);
}
