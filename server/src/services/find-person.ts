import type { Knex } from 'knex';
import type { EnvironmentRow } from '../db/models';
import { emailKeys } from '../domain/email-keys';
import type { TraceSubject } from '../domain/types';

/** The maximum number of requests and sessions of one person. */
const MOST_FOUND = 20_000;
/** The maximum number of sessions listed in the answer. */
export const MOST_NAMED = 200;

/** A request without its texts, which may be long. */
export interface FoundRequest {
  request_id: string;
  session_id: string | null;
  /** Whether a member recorded it; else a visitor's page sent it. */
  recorded: boolean;
  answered: boolean;
  created_at: Date;
  /** Whether it holds personal data other than the address, or comments, which may. */
  telling: boolean;
}

/** A person, as the identifiers that their records are found by. */
export interface Person {
  /** Columns and values; a record that has one of them is the person's. */
  forms: (readonly [column: 'email_key' | 'external_id' | 'session_id', values: readonly string[]])[];
  requests: FoundRequest[];
  /** Those that the call names, and those that records of the owner's side name. */
  sessions: string[];
  /**
   * Sessions that only visitors' requests name, the earliest claim first. Anybody can send a request that names another
   * visitor's session: what such a session left is not erased.
   */
  claimed: string[];
  /** Those of them that the answer lists. What names another stays for the next call, which lists further ones. */
  listed: string[];
  /** Whether there may be more requests or sessions than were found: the next call finds others. */
  partly: boolean;
  /** Whether sessions were not looked for. */
  formsOnly: boolean;
}

/** A session that a visitor's request named, and when it first did. */
interface Claim {
  session_id: string;
  at: Date;
}

/** What limits rows to those of a person. */
type Where = (rows: Knex.QueryBuilder) => void;

const findClaims = (db: Knex, where: Where): Promise<Claim[]> =>
  db('form_consents')
    .where(where)
    .where({ by_owner: false })
    .whereNotNull('session_id')
    .groupBy('session_id')
    .orderBy('at')
    .limit(MOST_FOUND)
    .select<Claim[]>('session_id', db.raw('min(recorded_at) AS at'));

/** The personal data of an answered request other than the address. */
export const PERSONAL = ['name', 'message', 'contact', 'session_id', 'answer'] as const;
/** Whether a request holds any of it, or members have commented on it. */
export const telling = (db: Knex, environment_id: string): Knex.Raw =>
  // The site is named in both, so that a cluster asks one shard.
  db.raw(
    `(num_nonnulls(${PERSONAL.join(', ')}) > 0 OR EXISTS (SELECT FROM dsar_comments c
      WHERE c.environment_id = ? AND c.request_id = dsar_requests.request_id))`,
    [environment_id],
  );

const findRequests = (db: Knex, environment_id: string, where: Where): Promise<FoundRequest[]> =>
  db('dsar_requests')
    .where(where)
    // First what can be erased, then what leads to sessions.
    .orderByRaw("(status = 'resolved' AND ?) DESC", [telling(db, environment_id)])
    .orderByRaw('(session_id IS NULL), created_at')
    .limit(MOST_FOUND)
    .select<FoundRequest[]>(
      'request_id',
      'session_id',
      'created_at',
      db.raw("channel <> 'online' AS recorded"),
      db.raw("status = 'resolved' AS answered"),
      db.raw('? AS telling', [telling(db, environment_id)]),
    );

export const isTelling = ({ answered, telling }: FoundRequest): boolean => answered && telling;

/** A person's requests and sessions, by what a call names of them. */
export async function findPerson(
  db: Knex,
  { id: environment_id }: EnvironmentRow,
  { email, session_id, external_id }: TraceSubject,
  verified: readonly string[],
  formsOnly: boolean,
): Promise<Person> {
  const named = session_id?.toLowerCase();
  const forms: Person['forms'] = [];
  if (email !== undefined) forms.push(['email_key', emailKeys(email)]);
  if (external_id !== undefined) forms.push(['external_id', [external_id]]);
  if (named !== undefined) forms.push(['session_id', [named]]);
  if (formsOnly)
    return { forms, requests: [], sessions: [], claimed: [], listed: [], partly: false, formsOnly };
  const requests = new Map<string, FoundRequest>();
  const sessions = new Set(verified.map((one) => one.toLowerCase()));
  if (named !== undefined) sessions.add(named);
  const claims: Claim[] = [];
  let partly = false;
  for (const [column, values] of forms) {
    const where: Where = (rows) => void rows.where({ environment_id }).whereIn(column, values);
    const found = column === 'external_id' ? [] : await findRequests(db, environment_id, where);
    // Those that a call changes come first; others, which stay, would be found again for ever.
    partly ||= found.length === MOST_FOUND && found.every(isTelling);
    for (const request of found) requests.set(request.request_id, request);
    const recorded: { session_id: string }[] = await db('form_consents')
      .where(where)
      .where({ by_owner: true })
      .whereNotNull('session_id')
      .distinct('session_id')
      .orderBy('session_id')
      .limit(MOST_FOUND);
    partly ||= recorded.length === MOST_FOUND;
    for (const { session_id: one } of recorded) sessions.add(one);
    for (const { session_id: one, recorded: byMember, created_at } of found) {
      if (one === null) continue;
      if (byMember) sessions.add(one);
      else claims.push({ session_id: one, at: created_at });
    }
    claims.push(...(await findClaims(db, where)));
  }
  claims.sort((a, b) => a.at.getTime() - b.at.getTime());
  const claimed = [...new Set(claims.map(({ session_id: one }) => one))].filter((one) => !sessions.has(one));
  const listed = claimed.slice(0, MOST_NAMED);
  partly ||= claimed.length > listed.length;
  const found = { requests: [...requests.values()], sessions: [...sessions], claimed, listed };
  return { forms, ...found, partly, formsOnly };
}
