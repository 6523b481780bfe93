import type { Knex } from 'knex';
import { type EnvironmentRow, MailRow } from '../db/models';
import { readPage, SHAPE_TIME, SHAPE_UUID } from '../db/paging';
import { notFound } from '../domain/errors';
import { kindsHiddenFrom } from '../domain/notices';
import type { Role } from '../domain/types';
import { mailView, shownOf } from '../services/mail-view';
import type { Handler } from './handler';

/** The mails of a site that a role may read. */
const mailsFor = (db: Knex, { id }: EnvironmentRow, role: Role) =>
  MailRow.query(db).where({ environment_id: id }).whereNotIn('kind', kindsHiddenFrom(role));

export const listMails: Handler<'listMails'> = async ({ db, vault }, { environment, query, role }) => {
  const { state, audience, request_id, limit, cursor } = query;
  const rows = mailsFor(db, environment, role);
  if (state !== undefined) rows.where({ state });
  if (audience !== undefined) rows.where({ audience });
  if (request_id !== undefined) rows.where({ request_id: request_id.toLowerCase() });
  return readPage({
    ...{ query: rows, order: ['created_at', 'mail_id'], direction: 'desc' },
    ...{ shapes: [SHAPE_TIME, SHAPE_UUID], limit, cursor },
    toItem: (row) => mailView(row, shownOf(vault, row)),
  });
};

export const getMail: Handler<'getMail'> = async ({ db, vault }, { environment, params, role }) => {
  const row = await mailsFor(db, environment, role).findOne({ mail_id: params.mail_id.toLowerCase() });
  if (row === undefined) throw notFound('This mail');
  const content = shownOf(vault, row);
  return { ...mailView(row, content), text: content?.text ?? null, html: content?.html ?? null };
};
