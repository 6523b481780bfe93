import { Readable } from 'node:stream';
import type { Context } from '../context';
import { ConsentRow } from '../db/models';
import { clock } from '../domain/clock';
import { notFound } from '../domain/errors';
import type { Site } from '../ingest/site';
import { packOf, subjectOf } from '../ledger/pack';
import { receiptOf } from '../ledger/receipt';
import { viewLog } from '../ledger/view';
import { withdrawalOf } from '../services/later-decisions';
import { isAllowed } from '../services/site-access';
import { Download, type Handler, senderOf } from './handler';

export const getEvidenceLog: Handler<'getEvidenceLog'> = async (
  { db, config, publicUrl },
  { site, caller },
) => {
  const log = await viewLog(db, site.id, {
    isPublished: site.publishesLog,
    isMember: await isAllowed(db, caller, { id: site.id }, 'viewer'),
    config,
  });
  const isThere = log.published && log.origin !== null;
  return { ...log, url: isThere ? `${publicUrl()}/ledger/${site.token}/` : null };
};

export const getConsentReceipt: Handler<'getConsentReceipt'> = async (
  context,
  { site, params, query, address, countReceipt },
) =>
  // Strangers take turns at the connections that owners need.
  context.turns.take(site, address, async () => {
    // In turn, so that of many at once no more are made than may be.
    countReceipt(0);
    const consent_id = params.consent_id.toLowerCase();
    const row = await ConsentRow.records(context.db)
      .where({ environment_id: site.id })
      .modify('withId', consent_id)
      .orderBy('recorded_at')
      .first();
    if (row === undefined || row.session_id !== query.session_id.toLowerCase())
      throw notFound('A decision of this session with this id');
    return receiptOfRow(context, site, row);
  });

export const saveReceipt: Handler<'saveReceipt'> = async (context, { site, query, countReceipt }) => {
  countReceipt(0);
  const row = await ConsentRow.records(context.db)
    .where({ environment_id: site.id })
    .modify('ofSession', query.session_id.toLowerCase())
    .orderBy([
      { column: 'recorded_at', order: 'desc' },
      { column: 'consent_id', order: 'desc' },
    ])
    .limit(1)
    .first();
  if (row === undefined) throw notFound('A decision of this session');
  const receipt = JSON.stringify(await receiptOfRow(context, site, row), null, 2);
  countReceipt(Buffer.byteLength(receipt));
  const name = `consent-receipt-${row.recorded_at.toISOString().slice(0, 10)}.json`;
  return new Download('application/ld+json', name, Readable.from([receipt], { objectMode: false }));
};

async function receiptOfRow({ db, program, publicUrl }: Context, site: Site, row: ConsentRow) {
  const isWithdrawn = (await withdrawalOf(db, row)) !== undefined;
  return receiptOf({ db, site, program, publicUrl: publicUrl(), isWithdrawn }, row);
}

export const exportEvidence: Handler<'exportEvidence'> = async (
  { db, publicUrl },
  { environment, query, caller },
) => {
  const subject = await subjectOf(db, environment.id, query);
  const day = clock.date().toISOString().slice(0, 10);
  const content = await packOf(db, environment, subject, publicUrl(), senderOf(caller)[0]);
  return new Download('application/zip', `evidence-${environment.domain}-${day}.zip`, content);
};
