import type { operations } from '../../../spec/generated/api';
import { FormConsentRow } from '../db/models';
import { newId, timeOfId } from '../domain/ids';
import { toMillisecond } from '../domain/instant';
import { stripPageUrl } from '../domain/page-url';
import { ValidationError } from '../errors';
import { emailKey } from './accounts';
import type { Handler } from './handler';
import { readPage, SHAPE_TIME, SHAPE_UUID } from './paging';

export const recordFormConsent: Handler<operations['recordFormConsent']> = async (
  _context,
  { site, client, body, trx },
) => {
  checkStatements(body.statements);
  const form_consent_id = newId();
  const recorded_at = timeOfId(form_consent_id);
  const { email, external_id } = body.subject;
  await FormConsentRow.query(trx).insert({
    environment_id: site.id,
    form_consent_id,
    recorded_at,
    form_id: body.form_id,
    form_url: stripPageUrl(body.form_url),
    email: email ?? null,
    email_key: email === undefined ? null : emailKey(email),
    external_id: external_id ?? null,
    statements: body.statements,
    double_opt_in: body.double_opt_in ?? 'none',
    language: body.language ?? site.settings.default_language,
    ip_masked: client.ipMasked,
  });
  return { form_consent_id, recorded_at: recorded_at.toISOString() };
};

/** A statement is named by its key: two of one key could not be told apart in the proof. Throws `ValidationError`. */
function checkStatements(statements: readonly { key: string }[]): void {
  const keys = statements.map(({ key }) => key);
  const errors = keys.flatMap((key, index) =>
    keys.indexOf(key) === index
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

function view(row: FormConsentRow) {
  return {
    form_consent_id: row.form_consent_id,
    form_id: row.form_id,
    form_url: row.form_url,
    subject: {
      ...(row.email === null ? {} : { email: row.email }),
      ...(row.external_id === null ? {} : { external_id: row.external_id }),
    },
    statements: row.statements,
    double_opt_in: row.double_opt_in,
    language: row.language,
    ip_masked: row.ip_masked,
    recorded_at: row.recorded_at.toISOString(),
  };
}

export const listFormConsents: Handler<operations['listFormConsents']> = async (
  { db },
  { environment, query },
) => {
  const rows = FormConsentRow.query(db).where({ environment_id: environment.id });
  if (query.form_id !== undefined) rows.where({ form_id: query.form_id });
  if (query.email !== undefined) rows.where({ email_key: emailKey(query.email) });
  if (query.external_id !== undefined) rows.where({ external_id: query.external_id });
  if (query.from !== undefined) rows.where('recorded_at', '>=', toMillisecond(query.from));
  if (query.to !== undefined) rows.where('recorded_at', '<', toMillisecond(query.to));
  return readPage({
    query: rows,
    order: ['recorded_at', 'form_consent_id'],
    direction: 'desc',
    shapes: [SHAPE_TIME, SHAPE_UUID],
    limit: query.limit,
    cursor: query.cursor,
    toItem: view,
  });
};
