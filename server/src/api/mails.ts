import { MailRow } from '../db/models';
import { readPage, SHAPE_TIME, SHAPE_UUID } from '../db/paging';
import { notFound } from '../domain/errors';
import { mailView, shownOf } from '../services/mail-view';
import type { Handler } from './handler';

export const listMails: Handler<'listMails'> = async ({ db, vault }, { environment, query }) => {
  const { state, audience, request_id, limit, cursor } = query;
  const rows = MailRow.query(db).where({ environment_id: environment.id });
  if (state !== undefined) rows.where({ state });
  if (audience !== undefined) rows.where({ audience });
  if (request_id !== undefined) rows.where({ request_id: request_id.toLowerCase() });
  return readPage({
    ...{ query: rows, order: ['created_at', 'mail_id'], direction: 'desc' },
    ...{ shapes: [SHAPE_TIME, SHAPE_UUID], limit, cursor },
    toItem: (row) => mailView(row, shownOf(vault, row)),
  });
};

export const getMail: Handler<'getMail'> = async ({ db, vault }, { environment, params }) => {
  const row = await MailRow.query(db).findById([environment.id, params.mail_id.toLowerCase()]);
  if (row === undefined) throw notFound('This mail');
  const content = shownOf(vault, row);
  return { ...mailView(row, content), text: content?.text ?? null, html: content?.html ?? null };
};
