import type { Knex } from 'knex';
import {
  countEventsOf,
  countRows,
  countSessions,
  eraseEventsOf,
  eraseRows,
  hasRows,
  MOST_ERASED,
  type TraceRows,
} from '../db/erase-trace';
import { ERASED_KINDS, ErasureNote } from '../db/erasure-log';
import { eraseFacts, type Gone } from '../db/ledger/erased';
import { sealDsar } from '../db/ledger/steps';
import { DsarRow, type EnvironmentRow } from '../db/models';
import { clock } from '../domain/clock';
import { REQUEST_DAYS } from '../domain/deadlines';
import { emailKeys } from '../domain/email-keys';
import type { ErasureReport, FoundBy, TraceKind, TraceSubject } from '../domain/types';
import { auditErasure } from '../services/audit-erasure';
import type { Handler } from './handler';

/** The maximum number of requests and sessions of one person. */
const MOST_FOUND = 20_000;
/** The maximum number of sessions listed in the answer. */
const MOST_NAMED = 200;

/** A request without its texts, which may be long. */
interface FoundRequest {
  request_id: string;
  session_id: string | null;
  /** Whether a member recorded it; else a visitor's page sent it. */
  recorded: boolean;
  answered: boolean;
  created_at: Date;
  /** Whether it holds personal data other than the address. */
  telling: boolean;
}

/** A person, as the identifiers that their records are found by. */
interface Person {
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

export const eraseSubject: Handler<'eraseSubject'> = async (
  { db, log },
  { environment, body, caller, audit },
) => {
  const { subject, sessions = [], preview = false, form_consents_only = false } = body;
  const person = await find(db, environment, subject, sessions, form_consents_only);
  const note = ErasureNote.of(db, environment.id, caller, {
    ...{ kind: 'person', found_by: foundBy(subject, sessions) },
  });
  const receipt = auditErasure(note, audit, environment.token);
  const report = preview ? await look(db, environment, person) : await erase(note, person);
  // What was stored meanwhile, the next call finds.
  report.complete &&= await isGone(db, environment, person, () =>
    find(db, environment, subject, sessions, form_consents_only),
  );
  await note.finish(report.complete);
  const { id: environment_id } = environment;
  if (!preview) {
    const counts = Object.fromEntries(report.erased.map(({ kind, count }) => [kind, count]));
    log.info(
      { environment_id, user: caller.userId, key: caller.key?.id, ...counts },
      "an owner erased a person's data",
    );
  }
  return receipt().with({
    preview,
    sessions: person.sessions.slice(0, MOST_NAMED),
    claimed_sessions: await countSessions(db, environment_id, person.listed),
    kept: [
      ...(await keptClaims(db, environment, person)),
      ...keptOf(environment, person, form_consents_only),
    ],
    ...report,
  });
};

/** By what a call names a person; never the value. */
const foundBy = (subject: TraceSubject, sessions: readonly string[]): FoundBy[] => [
  ...(['email', 'session_id', 'external_id'] as const).filter((name) => subject[name] !== undefined),
  ...(sessions.length > 0 ? (['sessions'] as const) : []),
];

async function find(
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
    const found = column === 'external_id' ? [] : await findRequests(db, where);
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

/** Whether nothing of a person has come that the erasure has not found, and nothing of what it found is left. */
async function isGone(
  db: Knex,
  { id }: EnvironmentRow,
  person: Person,
  findAgain: () => Promise<Person>,
): Promise<boolean> {
  for (const rows of rowsOf(person)) if (await hasRows(db, id, rows)) return false;
  const known = new Set(subjectsOf(person));
  return subjectsOf(await findAgain()).every((one) => known.has(one));
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
const PERSONAL = ['name', 'message', 'contact', 'session_id'] as const;
/** Whether a request holds any of it. */
const TELLING = `num_nonnulls(${PERSONAL.join(', ')}) > 0`;

const findRequests = (db: Knex, where: Where): Promise<FoundRequest[]> =>
  db('dsar_requests')
    .where(where)
    // First what can be erased, then what leads to sessions.
    .orderByRaw(`(status = 'resolved' AND ${TELLING}) DESC`)
    .orderByRaw('(session_id IS NULL), created_at')
    .limit(MOST_FOUND)
    .select<FoundRequest[]>(
      'request_id',
      'session_id',
      'created_at',
      db.raw("channel <> 'online' AS recorded"),
      db.raw("status = 'resolved' AS answered"),
      db.raw(`${TELLING} AS telling`),
    );

const isTelling = ({ answered, telling }: FoundRequest): boolean => answered && telling;

/** The answered requests whose personal data goes; not the session of one, unless the answer lists it. */
function tellingOf({ requests, claimed, listed }: Person): string[] {
  const unlisted = new Set(claimed.slice(listed.length));
  return requests
    .filter((request) => isTelling(request) && !unlisted.has(request.session_id ?? ''))
    .map(({ request_id }) => request_id);
}

/**
 * In the order of erasure: records that lead to a person's sessions come last, and of them only those whose sessions
 * were found and told, so that the next call still finds the others: when there were too many, or one was sent
 * meanwhile.
 */
function rowsOf({
  forms,
  sessions,
  listed: claimed,
  formsOnly,
}: Person): (TraceRows & { kind: TraceKind })[] {
  const ofSessions = { column: 'session_id', values: sessions };
  return [
    { kind: 'consents', table: 'consents', ...ofSessions },
    { kind: 'choices', table: 'session_choices', ...ofSessions },
    ...forms.map(([column, values]) => ({
      ...{ kind: 'form_consents' as const, table: 'form_consents' as const },
      ...{ column, values, ...(!formsOnly && { ofSessions: { sessions, claimed } }) },
    })),
  ];
}

const subjectsOf = ({ sessions, requests }: Person): string[] => [
  ...sessions,
  ...requests.filter(({ answered }) => answered).map(({ request_id }) => request_id),
];

type Found = Pick<ErasureReport, 'complete' | 'erased'>;

/** What an erasure would do. A form consent that matches twice counts twice. */
async function look(db: Knex, { id }: EnvironmentRow, person: Person): Promise<Found> {
  const counts = noCounts();
  for (const rows of rowsOf(person)) counts[rows.kind] += await countRows(db, id, rows);
  Object.assign(counts, await countEventsOf(db, id, subjectsOf(person)));
  counts.requests = tellingOf(person).length;
  return { complete: false, erased: listed(counts) };
}

async function erase(note: ErasureNote, person: Person): Promise<Found> {
  const budget = { left: MOST_ERASED };
  const counts = noCounts();
  Object.assign(counts, await eraseEventsOf(note, subjectsOf(person), budget));
  for (const rows of rowsOf(person)) counts[rows.kind] += await eraseRows(note, rows, budget);
  if (budget.left <= 0) return { complete: false, erased: listed(counts) };
  const { requests = 0 } = await note.inOne(async (trx, gone) => ({
    requests: await eraseTexts(trx, note.environmentId, tellingOf(person), gone),
  }));
  counts.requests = requests;
  return { complete: !person.partly, erased: listed(counts) };
}

/** Erases the personal data of answered requests but the address; what is left of them is sealed anew. */
async function eraseTexts(
  trx: Knex,
  environment_id: string,
  ids: readonly string[],
  gone: Gone,
): Promise<number> {
  const rows = await DsarRow.query(trx)
    .where({ environment_id, status: 'resolved' })
    .whereIn('request_id', [...ids])
    // Another call may have been faster: only one counts them.
    .whereRaw(TELLING)
    .patch(Object.fromEntries(PERSONAL.map((column) => [column, null])))
    .returning('*');
  const erased = rows.map(({ request_id }) => request_id);
  gone.push(...(await eraseFacts(trx, environment_id, 'dsar', erased)));
  for (const row of rows) await sealDsar(trx, row, { step: 'erased', at: clock.date().toISOString() });
  return rows.length;
}

const noCounts = (): Record<TraceKind, number> =>
  Object.fromEntries(ERASED_KINDS.map((kind) => [kind, 0])) as Record<TraceKind, number>;
const listed = (counts: Record<TraceKind, number>) =>
  ERASED_KINDS.map((kind) => ({ kind, count: counts[kind] }));

/** What the sessions that are only claimed left. */
async function keptClaims(
  db: Knex,
  { id }: EnvironmentRow,
  { claimed }: Person,
): Promise<ErasureReport['kept']> {
  if (claimed.length === 0) return [];
  const count = await countRows(db, id, { table: 'consents', column: 'session_id', values: claimed });
  const reason = `Of ${claimed.length} sessions that only requests from pages name (claimed_sessions), which anybody can send: verify that they are the person's, then erase them by naming them in sessions.`;
  return [{ kind: 'consents', count, reason }];
}

/** What stays, and why. */
function keptOf(
  { settings }: EnvironmentRow,
  { requests }: Person,
  formsOnly: boolean,
): ErasureReport['kept'] {
  const answered = requests.filter((request) => request.answered).length;
  const open = requests.length - answered;
  const days = settings.retention_days.requests ?? REQUEST_DAYS;
  const kept: ErasureReport['kept'] = [];
  if (open > 0) {
    kept.push({
      kind: 'requests',
      count: open,
      reason:
        'Requests that are still open, with their events: resolve them, then erase again (GDPR Art. 12(3)).',
    });
  }
  if (answered > 0) {
    kept.push({
      kind: 'requests',
      count: answered,
      reason: `Of answered requests the address, the dates, the outcome and the history, which prove that they were answered (GDPR Art. 5(2), Art. 17(3)(e)); retention erases them ${days} days after the answer.`,
    });
  }
  kept.push({
    kind: 'repeated_answers',
    count: null,
    reason:
      'Answers stored under idempotency keys are encrypted, cannot be searched by person, and are deleted after 24 hours.',
  });
  if (!formsOnly)
    kept.push({ kind: 'counts', count: null, reason: 'Counts for reports hold no personal data.' });
  return kept;
}
