import type { Knex } from 'knex';
import { countEventsOf, countRows, eraseEventsOf, eraseRows, type TraceRows } from '../db/erase-trace';
import { DsarRow, type EnvironmentRow, FormConsentRow } from '../db/models';
import { REQUEST_DAYS } from '../domain/deadlines';
import type { ErasureReport, TraceKind, TraceSubject } from '../domain/types';
import { emailKey } from '../services/accounts';
import type { Handler } from './handler';

/** The maximum number of records that one call erases; the next call continues. */
const MOST = 20_000;
/** The maximum number of requests and sessions of one person. */
const MOST_FOUND = 20_000;
/** The maximum number of sessions listed in the answer. */
const MOST_NAMED = 200;

/** A request without its texts, which may be long. */
interface FoundRequest {
  request_id: string;
  session_id: string | null;
  answered: boolean;
  /** Whether it holds personal data other than the address. */
  telling: boolean;
}

/** A person, as the identifiers that their records are found by. */
interface Person {
  /** Columns and values; a record that matches one of them is the person's. */
  forms: (readonly [column: 'email_key' | 'external_id' | 'session_id', value: string])[];
  requests: FoundRequest[];
  sessions: string[];
}

export const eraseSubject: Handler<'eraseSubject'> = async ({ db, log }, { environment, body, caller }) => {
  const { subject, preview = false, form_consents_only = false } = body;
  const person = await find(db, environment, subject, form_consents_only);
  const report = preview ? await look(db, environment, person) : await erase(db, environment, person);
  const { id: environment_id } = environment;
  if (!preview) {
    const counts = Object.fromEntries(report.erased.map(({ kind, count }) => [kind, count]));
    log.info({ environment_id, user: caller.userId, ...counts }, "an owner erased a person's data");
  }
  return {
    preview,
    sessions: person.sessions.slice(0, MOST_NAMED),
    kept: keptOf(environment, person, form_consents_only),
    ...report,
  };
};

async function find(
  db: Knex,
  { id: environment_id }: EnvironmentRow,
  { email, session_id, external_id }: TraceSubject,
  formsOnly: boolean,
): Promise<Person> {
  const named = session_id?.toLowerCase();
  const forms: Person['forms'] = [];
  if (email !== undefined) forms.push(['email_key', emailKey(email)]);
  if (external_id !== undefined) forms.push(['external_id', external_id]);
  if (named !== undefined) forms.push(['session_id', named]);
  if (formsOnly) return { forms, requests: [], sessions: [] };
  const requests = new Map<string, FoundRequest>();
  const sessions = new Set(named === undefined ? [] : [named]);
  for (const [column, value] of forms) {
    const found = column === 'external_id' ? [] : await findRequests(db, { environment_id, [column]: value });
    for (const request of found) requests.set(request.request_id, request);
    for (const { session_id: one } of found) if (one !== null) sessions.add(one);
    const rows = await FormConsentRow.query(db)
      .where({ environment_id, [column]: value })
      .whereNotNull('session_id')
      .distinct('session_id')
      .limit(MOST_FOUND);
    for (const { session_id: one } of rows) sessions.add(one as string);
  }
  return { forms, requests: [...requests.values()], sessions: [...sessions] };
}

/** The personal data of an answered request other than the address. */
const PERSONAL = ['name', 'message', 'contact', 'session_id'] as const;

const findRequests = (db: Knex, where: object): Promise<FoundRequest[]> =>
  db('dsar_requests')
    .where(where)
    .orderBy('created_at')
    .limit(MOST_FOUND)
    .select<FoundRequest[]>(
      'request_id',
      'session_id',
      db.raw("status = 'resolved' AS answered"),
      db.raw(`num_nonnulls(${PERSONAL.join(', ')}) > 0 AS telling`),
    );

const tellingOf = ({ requests }: Person): string[] =>
  requests.filter(({ answered, telling }) => answered && telling).map(({ request_id }) => request_id);

/**
 * In the order of erasure: records that lead to a person's sessions come last, so that the next call still
 * finds them.
 */
function rowsOf({ forms, sessions }: Person): (TraceRows & { kind: TraceKind })[] {
  const ofSessions = { column: 'session_id', values: sessions };
  return [
    { kind: 'consents', table: 'consents', ...ofSessions },
    { kind: 'choices', table: 'session_choices', ...ofSessions },
    ...forms.map(([column, value]) => ({
      ...{ kind: 'form_consents' as const, table: 'form_consents' as const },
      ...{ column, values: [value] },
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

async function erase(db: Knex, { id: environment_id }: EnvironmentRow, person: Person): Promise<Found> {
  const budget = { left: MOST };
  const counts = noCounts();
  Object.assign(counts, await eraseEventsOf(db, environment_id, subjectsOf(person), budget));
  for (const rows of rowsOf(person)) counts[rows.kind] += await eraseRows(db, environment_id, rows, budget);
  if (budget.left <= 0) return { complete: false, erased: listed(counts) };
  counts.requests = await DsarRow.query(db)
    .where({ environment_id, status: 'resolved' })
    .whereIn('request_id', tellingOf(person))
    .patch(Object.fromEntries(PERSONAL.map((column) => [column, null])));
  return { complete: true, erased: listed(counts) };
}

const ERASED = ['consents', 'choices', 'form_consents', 'requests', 'events', 'deliveries'] as const;
const noCounts = (): Record<TraceKind, number> =>
  Object.fromEntries(ERASED.map((kind) => [kind, 0])) as Record<TraceKind, number>;
const listed = (counts: Record<TraceKind, number>) => ERASED.map((kind) => ({ kind, count: counts[kind] }));

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
