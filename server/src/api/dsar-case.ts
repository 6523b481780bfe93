import { Readable } from 'node:stream';
import type { Context } from '../context';
import type { DsarRow } from '../db/models';
import { clock } from '../domain/clock';
import { zipOf } from '../ledger/pack/zip';
import { caseOf, filesOfCase } from '../services/dsar-case';
import { findRequest } from '../services/find-request';
import { sessionView } from '../services/session-view';
import { Download, type Handler, type OfMember } from './handler';

/** Keys are limited to what they may read; people to what their role may. */
async function viewCase(context: Context, request: OfMember, row: DsarRow) {
  const { key } = request.caller;
  const readsMails = key === undefined || key.scopes.includes('mails:read');
  return caseOf(context, request.environment, row, {
    ...{ sessions: await sessionView(context, request), readsMails },
  });
}

export const getDsarCase: Handler<'getDsarCase'> = async (context, request) =>
  viewCase(context, request, await findRequest(context.db, request.environment, request.params.request_id));

export const exportDsarCase: Handler<'exportDsarCase'> = async (context, request) => {
  const { environment, params } = request;
  const row = await findRequest(context.db, environment, params.request_id);
  const files = filesOfCase(context.db, context.fileStore, row, await viewCase(context, request, row));
  const now = clock.date();
  const name = `request-${environment.domain}-${row.request_id}-${now.toISOString().slice(0, 10)}.zip`;
  return new Download('application/zip', name, Readable.from(zipOf(files, now), { objectMode: false }));
};
