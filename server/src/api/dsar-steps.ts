import type { Knex } from 'knex';
import { partOf, refuseFull } from '../db/daily-limits';
import { type DsarRow, type EnvironmentRow, SettingsVersionRow } from '../db/models';
import { dayOf } from '../domain/calendar';
import { clock } from '../domain/clock';
import { dsarExtendedUntil } from '../domain/deadlines';
import { conflict, ValidationError } from '../domain/errors';
import { withEntry } from '../domain/history';
import { emit } from '../events/outbox';
import { dsarResolved } from '../events/payloads';
import { closeAnswerFiles, reopenAnswerFiles } from '../services/answer-files';
import { sealAnswer } from '../services/dsar-proof';
import { locked, save } from '../services/dsar-rows';
import { checkDay, dsarView } from '../services/dsar-view';
import { checkReasons } from '../services/mail/check-reasons';
import { mailAnswered, mailExtended } from '../services/mail/requester-mails';
import { sessionView } from '../services/session-view';
import type { Handler } from './handler';

export const startDsar: Handler<'startDsar'> = async (context, request) => {
  const { environment, params, body, caller, trx } = request;
  const row = await locked(trx, environment, params.request_id);
  if (row.status !== 'created')
    throw conflict(`The request is ${row.status}: only a created one can be started.`);
  return dsarView(
    context,
    await save(request, row, {
      status: 'in_progress',
      history: withEntry(row.history, caller, 'started', body?.note),
    }),
    await sessionView(context, request),
    environment,
  );
};

/** The zone by which a request's deadline was set: a later one of the site would move the end of its last day. */
async function zoneAtReceipt(
  trx: Knex.Transaction,
  { environment_id, created_at }: DsarRow,
  { settings }: EnvironmentRow,
): Promise<string> {
  const version = await SettingsVersionRow.query(trx)
    .where({ environment_id })
    .where('created_at', '<=', created_at)
    .orderBy('version', 'desc')
    .first();
  return (version?.settings.time_zone as string | undefined) ?? settings.time_zone;
}

export const extendDsar: Handler<'extendDsar'> = async (context, request) => {
  const { environment, params, body, caller, trx } = request;
  const row = await locked(trx, environment, params.request_id);
  if (row.status === 'resolved')
    throw conflict('The request is resolved: its deadline cannot be extended any more.');
  if (row.extended_until !== null) {
    throw conflict(
      `The request is ${row.status} and was extended already: that is possible once (GDPR Art. 12(3)).`,
    );
  }
  const time_zone = await zoneAtReceipt(trx, row, environment);
  const { reason, told_on } = body;
  const today = dayOf(time_zone, clock.now());
  if (told_on !== undefined) {
    checkDay('told_on', told_on, today);
    if (told_on < (row.received_on ?? dayOf(time_zone, row.created_at.getTime())))
      throw ValidationError.of('body.told_on', 'must not be before the request was received', 'time');
  }
  // Otherwise an extension would make a late answer one in time.
  const lastDay = dayOf(time_zone, row.due_at.getTime());
  if (told_on === undefined ? clock.date() > row.due_at : told_on > lastDay) {
    throw conflict(
      `The deadline ended on ${lastDay}: the data subject must be told of an extension before (GDPR Art. 12(3)). If that was done, say when in told_on; otherwise answer now.`,
    );
  }
  const patch = { extended_until: dsarExtendedUntil(row.due_at, time_zone), extension_reason: reason };
  const note = told_on === undefined ? reason : `${reason} (told on ${told_on})`;
  const history = withEntry(row.history, caller, 'extended', note);
  const extended = await save(request, row, { ...patch, history });
  if (told_on === undefined && body.mail !== false)
    await mailExtended(context.mail, trx, environment, extended, request);
  return dsarView(context, extended, await sessionView(context, request), environment);
};

export const resolveDsar: Handler<'resolveDsar'> = async (context, request) => {
  const { environment, params, body, caller, trx } = request;
  const row = await locked(trx, environment, params.request_id);
  if (row.status === 'resolved') throw conflict('The request is resolved already: nothing is left to do.');
  checkReasons(context, environment, row, body);
  const patch = {
    status: 'resolved' as const,
    resolved_at: clock.date(),
    resolution: body.resolution,
    resolution_note: body.note ?? null,
    ...(body.answer !== undefined && { answer: sealAnswer(context.vault, row, body.answer) }),
  };
  const answeredRow = row.$clone().$set(patch);
  const hasFiles = await closeAnswerFiles(trx, answeredRow);
  // First, because the history says whether it goes: a limit may keep it back.
  const mail =
    body.mail === false
      ? undefined
      : await mailAnswered(
          context.mail,
          trx,
          environment,
          answeredRow,
          { text: body.answer, hasFiles },
          request,
        );
  const action = `resolved: ${body.resolution}${answered(body, mail === 'pending')}`;
  const history = withEntry(row.history, caller, action, body.note);
  const resolved = await save(request, row, { ...patch, history });
  await emit(context, request, dsarResolved(environment, resolved));
  return dsarView(context, resolved, await sessionView(context, request), environment);
};

/** Of answers by two resolutions the request keeps the later one: which of them was mailed, only the history tells. */
const answered = ({ answer }: { answer?: string }, isMailed: boolean): string =>
  answer === undefined ? '' : `, with an answer${isMailed ? ' by mail' : ', not mailed'}`;

/** How often a request may be reopened: its history is kept as long as the request, and written with each change. */
const MAX_REOPENED = 20;

export const reopenDsar: Handler<'reopenDsar'> = async (context, request) => {
  const { environment, params, body, caller, trx } = request;
  const row = await locked(trx, environment, params.request_id);
  if (row.status !== 'resolved')
    throw conflict(`The request is ${row.status}: only a resolved one can be reopened.`);
  const most = partOf(MAX_REOPENED, request);
  if (row.history.filter(({ action }) => action === 'reopened').length >= most)
    throw conflict(
      `The request was reopened ${most} times: record a new one instead (recordDsar), which may name this one.`,
    );
  refuseFull(row.history, request);
  const reopened = await save(request, row, {
    status: 'in_progress',
    resolved_at: null,
    resolution: null,
    resolution_note: null,
    // That it was answered, and how, stays in the history; the words stay until there are others.
    history: withEntry(row.history, caller, 'reopened', body.reason),
  });
  await reopenAnswerFiles(trx, reopened);
  return dsarView(context, reopened, await sessionView(context, request), environment);
};
