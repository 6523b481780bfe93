import { randomBytes } from 'node:crypto';
import type { AuthorityAddress } from '../config/vouchers';
import { headOf } from '../db/ledger/heads';
import { clock } from '../domain/clock';
import { type OpenNote, openNote } from '../domain/ledger/open-note';
import { StampReader } from './stamp-reader';
import { type Found, NotVouched, unreachable, type Voucher, type Vouching } from './voucher';

/** An authority of RFC 3161. */
export const authorityOf = (address: AuthorityAddress, every: number): Voucher => ({
  id: address.name,
  kind: 'authority',
  name: address.name,
  every,
  vouch: (vouching, environmentId) => stamped(vouching, address, environmentId),
});

/** Of all authorities: whoever answers slowly is not waited for here. */
const reader = new StampReader();
/** Bytes of an answer that are read: tokens with long chains have a tenth. */
const MOST_ANSWER_BYTES = 64 * 1024;

async function stamped(
  { db, ask, signal }: Vouching,
  address: AuthorityAddress,
  environmentId: string,
): Promise<Found> {
  const head = await headOf(db, environmentId);
  if (head === undefined) throw new NotVouched('bad_answer', 'the log is gone');
  const { note } = head;
  const { text } = openNote(note) as OpenNote;
  const query = { text, nonce: randomBytes(16), policy: address.policy, at: clock.now() };
  const question = { url: address.url, type: 'application/timestamp-query', most: MOST_ANSWER_BYTES };
  const body = await reader.write(query);
  const reply = await ask({ ...question, body }, signal).catch((error: unknown) => {
    throw unreachable(error);
  });
  const code = String(reply.status);
  if (reply.status !== 200) throw new NotVouched('bad_answer', `it answered with the status ${code}`, code);
  const { token, genTime } = await reader.read(reply.body, query).catch((error: Error) => {
    throw new NotVouched('bad_answer', `its answer cannot be used: ${error.message}`);
  });
  return { size: Number(head.size), note, proof: { authority: address.name, token, gen_time: genTime } };
}
