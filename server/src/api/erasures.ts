import type { Knex } from 'knex';
import { deleteComments } from '../db/delete-comments';
import { countSearches, eraseSearchesOf } from '../db/erase-searches';
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
import { ErasureNote } from '../db/erasure-log';
import { eraseDsars } from '../db/ledger/erased';
import type { Gone } from '../db/ledger/erased-notes';
import { sealErased, sealedSteps } from '../db/ledger/steps';
import { firstThatFit, weighRequests } from '../db/ledger/weigh';
import { DsarRow, type EnvironmentRow } from '../db/models';
import { ERASED_KINDS, type ErasedCounts } from '../db/seal-erasures';
import { nextTime } from '../domain/history';
import { daysKept } from '../domain/retention';
import type { ErasureReport, FoundBy, TraceKind, TraceSubject } from '../domain/types';
import { auditErasure } from '../services/audit-erasure';
import { findPerson, isTelling, MOST_NAMED, PERSONAL, type Person, telling } from '../services/find-person';
import { countMailsOf, eraseMailsOf } from '../services/mail/erase-person';
import type { Handler } from './handler';

/** Requests whose texts one transaction erases, at most. */
const REQUESTS = 100;

export const eraseSubject: Handler<'eraseSubject'> = async (
  { db, log, mail },
  { environment, body, caller, audit, stay },
) => {
  const { subject, sessions = [], preview = false, form_consents_only = false } = body;
  const person = await findPerson(db, environment, subject, sessions, form_consents_only);
  const note = ErasureNote.of(db, environment.id, caller, {
    ...{ kind: 'person', found_by: foundBy(subject, sessions) },
  });
  note.asking(stay);
  const receipt = auditErasure(note, audit, environment.token);
  const report = preview ? await look(db, environment, person) : await erase(note, person);
  if (!form_consents_only) {
    const mailed = { email: subject.email, answered: answeredOf(person) };
    const counts: ErasedCounts = await (preview ? countMailsOf : eraseMailsOf)(mail, note, mailed);
    report.erased = report.erased.map((one) => ({
      ...one,
      count: counts[one.kind as keyof ErasedCounts] ?? one.count,
    }));
  }
  // What was stored meanwhile, the next call finds.
  report.complete &&= await isGone(db, environment, person, () =>
    findPerson(db, environment, subject, sessions, form_consents_only),
  );
  await note.finish(report.complete);
  // It wrote nothing, and tells as much.
  if (preview) await stay(db);
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

const answeredOf = ({ requests }: Person): string[] =>
  requests.filter(({ answered }) => answered).map(({ request_id }) => request_id);

const subjectsOf = (person: Person): string[] => [...person.sessions, ...answeredOf(person)];

type Found = Pick<ErasureReport, 'complete' | 'erased'>;

/** What an erasure would do. A form consent that matches twice counts twice. */
async function look(db: Knex, { id }: EnvironmentRow, person: Person): Promise<Found> {
  const counts = noCounts();
  for (const rows of rowsOf(person)) counts[rows.kind] += await countRows(db, id, rows);
  Object.assign(counts, await countEventsOf(db, id, subjectsOf(person)));
  counts.requests = tellingOf(person).length;
  counts.searches = await countSearches(db, id, answeredOf(person));
  return { complete: false, erased: listed(counts) };
}

async function erase(note: ErasureNote, person: Person): Promise<Found> {
  const budget = { left: MOST_ERASED };
  const counts = noCounts();
  Object.assign(counts, await eraseEventsOf(note, subjectsOf(person), budget));
  for (const rows of rowsOf(person)) counts[rows.kind] += await eraseRows(note, rows, budget);
  if (budget.left <= 0) return { complete: false, erased: listed(counts) };
  counts.requests = await eraseTextsOf(note, tellingOf(person));
  counts.searches = await eraseSearchesOf(note, answeredOf(person));
  return { complete: !person.partly, erased: listed(counts) };
}

/** Erases the texts of requests, so many in one transaction as it may hold; what is left when it is killed is found again. */
async function eraseTextsOf(note: ErasureNote, ids: readonly string[]): Promise<number> {
  let total = 0;
  for (let from = 0; from < ids.length; ) {
    const { requests = 0 } = await note.inOne(async (trx, gone) => {
      const weigh = weighRequests(trx, note.environmentId);
      const some = (await firstThatFit(ids.slice(from, from + REQUESTS), weigh)).map(({ row }) => row);
      from += some.length;
      return { requests: await eraseTexts(trx, note.environmentId, some, gone) };
    });
    total += requests;
  }
  return total;
}

/** Erases the personal data of answered requests but the address, and the comments on them; what is left is sealed anew. */
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
    .whereRaw('?', [telling(trx, environment_id) as never])
    .patch(Object.fromEntries(PERSONAL.map((column) => [column, null])))
    .returning('*');
  await deleteComments(trx, environment_id, ids);
  const erased = rows.map(({ request_id }) => request_id);
  const sealed = await sealedSteps(trx, environment_id, erased);
  gone.push(...(await eraseDsars(trx, environment_id, erased)));
  for (const row of rows) {
    const steps = sealed.get(row.request_id);
    await sealErased(trx, row, { steps, taken: PERSONAL, at: nextTime(row.history).toISOString() });
  }
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
  const days = daysKept(settings, 'requests');
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
