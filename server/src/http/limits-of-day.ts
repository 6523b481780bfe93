import type { Operation, OperationId } from '../contract/operations';
import { rateLimited } from '../domain/errors';
import { blockOf } from '../domain/mask';
import { inRequests } from '../domain/size';
import type { ValidRequest } from './valid-request';

/** Entries in the audit trail of a site, from one login or API key: more than any program has to make. */
const ENTRIES = 50_000;
/** Of all keys of an account, in shares of one: whoever revokes a key and makes another begins no new day. */
const KEYS = 4;
/** Of requests that strangers send to a site from one block of addresses, in parts of 4 KiB. */
const REQUESTS = 500;
/** The same of everything else that they store on owners' connections, such as form consents. */
const STORED = 10_000;

/**
 * Changes that no day counts, by what bounds them; whatever else leaves an entry counts. Whoever stole a login must not use
 * up what its owner needs against them, nor anybody a right of visitors.
 */
const UNCOUNTED: ReadonlySet<OperationId> = new Set([
  // Rights of visitors, and what they decided, of which a busy day loses none.
  ...(['eraseSession', 'eraseSubject', 'logConsentForVisitor'] as const),
  // Limits of their own, by the day or in a queue.
  ...(['createBreach', 'createEnvironment', 'recordDsar', 'recordFormConsentForVisitor'] as const),
  ...(['requestEmailVerification', 'saveOwnDsarViews', 'saveSharedDsarViews', 'startCookieScan'] as const),
  // Steps of a record, which takes each once, or so many as its history holds.
  ...(['assignDsar', 'assignDsars', 'extendDsar', 'extendDsars', 'reopenDsar', 'resolveDsar'] as const),
  ...(['resolveDsars', 'startDsar', 'startDsars'] as const),
  ...(['markBreachNotReportable', 'reopenBreach', 'reportBreach', 'updateBreach'] as const),
  // A link works once.
  ...(['joinEnvironment', 'verifyEmail'] as const),
  // What ends or takes away something, mostly what was made by a change that counts; and the proof that it needs.
  ...(['deleteAnswerFile', 'deleteAnswerTemplate', 'deleteAttachment', 'deleteDsarComment'] as const),
  ...(['deleteEnvironment', 'deleteWebhook', 'pauseWebhook', 'removeMember', 'revokeSiteKey'] as const),
  ...([
    'changePassword',
    'confirmTotp',
    'endOtherSessions',
    'endSession',
    'logout',
    'reauthenticate',
  ] as const),
  ...(['removePasskey', 'removeTotp', 'renewRecoveryCodes', 'revokeKey', 'revokeTokens'] as const),
  'unlinkIdentity',
  // What an owner secures a site and an account with, after somebody else had the login.
  ...(['addPasskey', 'beginTotp', 'rotateKey', 'setSecondFactorRule', 'updateMember'] as const),
]);

/** The same of owners who are logged in: a key has no such need, and could do it without end. */
const OF_LOGINS: ReadonlySet<OperationId> = new Set(['rotateWebhookSecret']);

/** The site of an owner's request. */
interface Named {
  id: string;
  status: string;
}

interface Counted {
  /** What it counts for, and how often each is allowed. */
  keys: { key: string; most: number }[];
  /** Of whom it is: the counts of many blocks at one's sites take the place of nobody else's. */
  owner: string;
  n: number;
  why: string;
}

/** What a day counts of a request; undefined: nothing. */
function countedOf(valid: ValidRequest, environment: Named | undefined): Counted | undefined {
  const { operation, caller, site, address, body } = valid;
  if (caller !== undefined) {
    if (!leavesEntries(operation, caller.key !== undefined) || endsSite(valid, environment?.status))
      return undefined;
    const [who, where] = [caller.userId, environment?.id ?? ''];
    return {
      keys:
        caller.key === undefined
          ? [{ key: `login of ${who} ${where}`, most: ENTRIES }]
          : [
              { key: `key ${caller.key.id} ${where}`, most: ENTRIES },
              { key: `keys of ${who} ${where}`, most: KEYS * ENTRIES },
            ],
      owner: `account ${who}`,
      n: 1,
      why: `You have changed or exported too much${where === '' ? '' : ' at this site'} within 24 hours`,
    };
  }
  if (site === undefined || !operation.visitor || !operation.transaction) return undefined;
  const most = operation.limit === undefined ? STORED : REQUESTS;
  return {
    keys: [{ key: `${operation.id} ${site.id} ${blockOf(address)}`, most }],
    owner: `sites of ${site.maker}`,
    n: 1 + inRequests(body?.raw.length ?? 0),
    why: 'Too much of this was sent to this site from your network within 24 hours',
  };
}

const leavesEntries = ({ id, audit }: Operation, isKey: boolean): boolean =>
  audit !== undefined && !UNCOUNTED.has(id) && (isKey || !OF_LOGINS.has(id));

const STATUSES = ['active', 'paused', 'archived'];

/** Pauses or archives a site and does nothing else, which can always be done; to take that back counts. */
function endsSite({ operation, body }: ValidRequest, present: string | undefined): boolean {
  if (operation.id !== 'updateEnvironment' || present === undefined) return false;
  const { status = '', ...others } = (body?.json ?? {}) as { status?: string };
  return Object.keys(others).length === 0 && STATUSES.indexOf(status) > STATUSES.indexOf(present);
}

/**
 * Limits by the day, in each process, what is kept for years and cannot be taken back: entries in the audit trail, and
 * what strangers store. Returns what counts it, for when it is done: what is refused costs nothing. Throws 429.
 */
export function limitDay(valid: ValidRequest, environment: Named | undefined): () => void {
  const { limiter } = valid;
  const counted = limiter && countedOf(valid, environment);
  if (counted === undefined) return () => undefined;
  const { keys, owner, n, why } = counted;
  for (const { key, most } of keys) {
    const wait = limiter?.waitOfDay(key, most) ?? 0;
    if (wait > 0) throw rateLimited(wait, `${why}: try again in ${wait} s.`);
  }
  return () => {
    for (const { key } of keys) limiter?.countOfDay(key, owner, n);
  };
}
