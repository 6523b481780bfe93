import type { ErasureNote } from '../db/erasure-log';
import type { Audit, Receipt } from './audit';

/**
 * An erasure works in batches. The first one is committed together with its audit event, so that neither is there
 * without the other; whom it erases is not told, and a preview is not told of.
 */
export function auditErasure(note: ErasureNote, audit: Audit, token: string): () => Receipt {
  let receipt = audit.unchanged();
  note.withFirst(async (trx) => {
    receipt = await audit.write(trx, { about: { resource: 'site', resource_id: token } });
  });
  return () => receipt;
}
