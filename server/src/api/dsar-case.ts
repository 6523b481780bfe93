import { Readable } from 'node:stream';
import type { Context } from '../context';
import { clock } from '../domain/clock';
import { zipOf } from '../ledger/pack/zip';
import { caseOf, filesOfCase, wholeCaseOf } from '../services/dsar-case';
import { findRequest } from '../services/find-request';
import { sessionView } from '../services/session-view';
import { Download, type Handler, type OfMember } from './handler';

/** Keys are limited to what they may read; people to what their role may. */
async function readingOf(context: Context, request: OfMember) {
  const { key } = request.caller;
  const readsMails = key === undefined || key.scopes.includes('mails:read');
  return { sessions: await sessionView(context, request), readsMails };
}

export const getDsarCase: Handler<'getDsarCase'> = async (context, request) => {
  const { environment, params } = request;
  const row = await findRequest(context.db, environment, params.request_id);
  return caseOf(context, environment, row, await readingOf(context, request));
};

export const exportDsarCase: Handler<'exportDsarCase'> = async (context, request) => {
  const { environment, params } = request;
  const row = await findRequest(context.db, environment, params.request_id);
  const about = await wholeCaseOf(context, environment, row, await readingOf(context, request));
  const files = filesOfCase(context.db, context.fileStore, row, about);
  const now = clock.date();
  const name = `request-${environment.domain}-${row.request_id}-${now.toISOString().slice(0, 10)}.zip`;
  return new Download('application/zip', name, Readable.from(zipOf(files, now), { objectMode: false }));
};
