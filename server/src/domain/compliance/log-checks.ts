import { MINUTE_MS } from '../time';
import { type Check, fail, pass, unknown } from './evidence';

/** How long sealing may take; it takes seconds. */
const SLOW = 15 * MINUTE_MS;

const BEGINS = unknown('nothing is sealed yet', 'Nothing to do: the first record is sealed within a minute.');
const ASK = 'Ask whoever runs the server';

const records = (size: number): string => (size === 1 ? '1 record is' : `${size} records are`);

/**
 * What was recorded can be shown to be unchanged (GDPR Art. 5(2), 7(1): accountability means evidence that others can
 * check). Unknown before the first record.
 */
export const recordsSealed: Check = {
  id: 'records_sealed',
  title: 'Records are sealed: changing one later would be found out',
  weight: 6,
  legalReference: 'GDPR Art. 5(2), Art. 7(1), Art. 24(1)',
  find: ({ now, log: { size, waitingSince, isRolledBack, isDamaged } }) => {
    if (isRolledBack)
      return fail(
        'a witness has signed a different history of the evidence log',
        `${ASK} to restore the newest backup: what was sealed after the current state cannot be proven by this log.`,
      );
    if (isDamaged)
      return fail(
        'records and the evidence log do not fit',
        `${ASK} to run npm run doctor -- --ledger, which names each record that was changed, before anything else is.`,
      );
    if (waitingSince !== undefined && now.getTime() - waitingSince.getTime() > SLOW)
      return fail(
        `records have been waiting to be sealed since ${waitingSince.toISOString().slice(0, 10)}; this normally takes seconds`,
        `${ASK} to look at its log: sealing has stopped, or what waits was changed in the database.`,
      );
    return size === 0 ? BEGINS : pass(`${records(size)} sealed`);
  },
};

/**
 * Somebody other than the operator can tell if the whole log is replaced. Published, anybody can keep a copy; a witness
 * or an authority confirms its state. One of the two is enough.
 */
export const logVouched: Check = {
  id: 'log_vouched',
  title: 'Others could tell if the evidence log were replaced',
  weight: 4,
  legalReference: 'GDPR Art. 5(2), Art. 24(1); Regulation (EU) 910/2014 (eIDAS) Art. 41 for time-stamps',
  find: ({ settings, log: { size, vouchers } }) => {
    const isPublished = settings.publish_evidence_log !== false;
    const found = `${isPublished ? 'published' : 'not published'}; witnesses and time-stamping authorities that vouch for it: ${vouchers}`;
    if (!isPublished && vouchers === 0)
      return fail(
        found,
        `Publish the evidence log: it holds hashes, nothing of a person. Or ask whoever runs the server to name a witness or a time-stamping authority.`,
      );
    return size === 0 ? BEGINS : pass(found);
  },
};
