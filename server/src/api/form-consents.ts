import type { Knex } from 'knex';
import type { components, operations } from '../../../spec/generated/api';
import { refuseManyForms } from '../db/daily-limits';
import { sealFact } from '../db/ledger/facts';
import { formConsentRecord } from '../db/ledger/records';
import { type EnvironmentRow, FormConsentRow } from '../db/models';
import { between, readPage, SHAPE_TIME, SHAPE_UUID } from '../db/paging';
import { stripPageUrl } from '../domain/addresses';
import { emailKey, emailKeys } from '../domain/email-keys';
import { notFound, ValidationError } from '../domain/errors';
import { newId, timeOfId } from '../domain/ids';
import type { Client } from '../ingest/decision';
import { evidenceOfForm } from '../ledger/record-evidence';
import { exportRecords } from '../services/record-export';
import { type SessionView, sessionView } from '../services/session-view';
import { describedClient, siteOf } from '../services/visitor-client';
import { Download, type Handler } from './handler';

type Filter = Omit<NonNullable<operations['exportFormConsents']['parameters']['query']>, 'format'>;

export const recordFormConsent: Handler<'recordFormConsent'> = async (
  _context,
  { site, client, body, trx },
) => storeFormConsent(trx, site.id, client, { language: site.settings.default_language, ...body });

export const recordFormConsentForVisitor: Handler<'recordFormConsentForVisitor'> = async (
  { sites },
  { environment, body, trx },
) => {
  const { visitor, ...given } = body;
  const client = describedClient(visitor);
  const { id, settings } = await siteOf(sites, environment);
  await refuseManyForms(trx, id);
  return storeFormConsent(trx, id, client, { language: settings.default_language, ...given });
};

type Given = components['schemas']['FormConsentInput'] & { language: string };

async function storeFormConsent(
  trx: Knex,
  environment_id: string,
  { ipMasked, recordedBy }: Client,
  given: Given,
) {
  checkStatements(given.statements);
  const form_consent_id = newId();
  const recorded_at = timeOfId(form_consent_id);
  const { email, external_id } = given.subject;
  const row = await FormConsentRow.query(trx).insertAndFetch({
    environment_id,
    form_consent_id,
    recorded_at,
    form_id: given.form_id,
    form_url: stripPageUrl(given.form_url),
    email: email ?? null,
    email_key: email === undefined ? null : emailKey(email),
    external_id: external_id ?? null,
    statements: given.statements,
    double_opt_in: given.double_opt_in ?? 'none',
    by_owner: recordedBy === 'owner',
    language: given.language,
    ip_masked: ipMasked,
    session_id: given.session_id?.toLowerCase() ?? null,
  });
  await sealFact(trx, {
    ...{ environmentId: environment_id, kind: 'form_consent', subject: form_consent_id },
    record: formConsentRecord(row),
  });
  return { form_consent_id, recorded_at: recorded_at.toISOString() };
}

/**
 * Keys of statements must be unique: two statements with one key could not be told apart in the proof. Throws
 * `ValidationError`.
 */
function checkStatements(statements: readonly { key: string }[]): void {
  const seen = new Set<string>();
  const errors = statements.flatMap(({ key }, index) =>
    !seen.has(key) && seen.add(key)
      ? []
      : [
          {
            path: `body.statements.${index}.key`,
            message: `the statement ${key} is listed twice: give each statement a key of its own`,
            code: 'invalid',
          },
        ],
  );
  if (errors.length > 0) throw new ValidationError(errors);
}

const view = (row: FormConsentRow, { show }: SessionView) => ({
  ...formConsentRecord(row),
  session_id: show(row.session_id),
});

/** A filter with the id of the session that it names. */
async function withSession<Query extends Filter>(query: Query, { read }: SessionView): Promise<Query> {
  return query.session_id === undefined ? query : { ...query, session_id: await read(query.session_id) };
}

/** The form consents of a site that match a filter. */
function matching(db: Knex, { id: environment_id }: EnvironmentRow, filter: Filter) {
  const rows = FormConsentRow.query(db).where({ environment_id });
  if (filter.form_id !== undefined) rows.where({ form_id: filter.form_id });
  if (filter.email !== undefined) rows.whereIn('email_key', emailKeys(filter.email));
  if (filter.external_id !== undefined) rows.where({ external_id: filter.external_id });
  if (filter.session_id !== undefined) rows.where({ session_id: filter.session_id });
  return between(rows, 'recorded_at', filter);
}

export const listFormConsents: Handler<'listFormConsents'> = async (context, request) => {
  const { environment, query } = request;
  const sessions = await sessionView(context, request);
  return readPage({
    query: matching(context.db, environment, await withSession(query, sessions)),
    order: ['recorded_at', 'form_consent_id'],
    direction: 'desc',
    shapes: [SHAPE_TIME, SHAPE_UUID],
    limit: query.limit,
    cursor: query.cursor,
    toItem: (row) => view(row, sessions),
  });
};

export const getFormConsent: Handler<'getFormConsent'> = async (context, request) => {
  const { id } = request.environment;
  const form_consent_id = request.params.form_consent_id.toLowerCase();
  const row = await FormConsentRow.query(context.db)
    .where({ environment_id: id })
    .modify('withId', form_consent_id)
    .orderBy('recorded_at')
    .first();
  if (row === undefined) throw notFound('This form consent');
  const evidence = await evidenceOfForm(context.db, id, form_consent_id);
  return { ...view(row, await sessionView(context, request)), evidence };
};

/** Of a CSV file. */
const COLUMNS: (keyof ReturnType<typeof view>)[] = [
  ...(['form_consent_id', 'recorded_at', 'form_id', 'form_url', 'subject', 'statements'] as const),
  ...(['double_opt_in', 'recorded_by', 'language', 'ip_masked', 'session_id'] as const),
];

export const exportFormConsents: Handler<'exportFormConsents'> = async (context, request) => {
  const { environment, query } = request;
  const sessions = await sessionView(context, request);
  const filter = await withSession(query, sessions);
  const { type, name, content } = await exportRecords(
    environment,
    query.format,
    () => matching(context.db, environment, filter),
    {
      ...{ name: 'form-consents', order: ['recorded_at', 'form_consent_id'], columns: COLUMNS },
      toItem: (row) => view(row, sessions),
    },
  );
  return new Download(type, name, content);
};
