import type { WitnessAddress } from '../config/vouchers';
import { clock } from '../domain/clock';
import { writeAddCheckpoint } from '../domain/ledger/add-checkpoint';
import { isOf, verifyCosignature } from '../domain/ledger/cosignature';
import { type OpenNote, openNote, readSignatures, readSize } from '../domain/ledger/open-note';
import { faultOfTime } from '../domain/ledger/stated-time';
import { offeredHead } from './offered-head';
import { proveGrowth } from './proofs';
import { type Found, NotVouched, unreachable, type Voucher, type Vouching } from './voucher';

/** Bytes of an answer: a few signature lines. */
const MOST_BYTES = 16 * 1024;
/** Requests for one log: the first, one from the size that the witness names, and one more if the log grew meanwhile. */
const TRIES = 3;

/** A witness of C2SP tlog-witness. */
export const witnessOf = (address: WitnessAddress, every: number): Voucher => ({
  id: address.vkey,
  kind: 'witness',
  name: address.key.name,
  every,
  vouch: (vouching, environmentId, vouched) => cosigned(vouching, address, environmentId, vouched),
});

async function cosigned(
  vouching: Vouching,
  { url, key }: WitnessAddress,
  environmentId: string,
  vouched: number,
): Promise<Found> {
  const { db, ask, signal } = vouching;
  let known = vouched;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const head = await offeredHead(vouching, environmentId, known);
    if (known > head.size)
      throw new NotVouched('larger_tree', `it has signed ${known} leaves, and the log has less`);
    const proof = await proveGrowth(db, environmentId, known, head.size);
    const body = Buffer.from(writeAddCheckpoint({ oldSize: known, proof, note: head.note }), 'utf8');
    const question = {
      url: `${url}/add-checkpoint`,
      type: 'text/plain; charset=utf-8',
      body,
      most: MOST_BYTES,
    };
    const at = clock.now();
    const reply = await ask(question, signal).catch((error: unknown) => {
      throw unreachable(error);
    });
    if (reply.status === 200) {
      return { size: head.size, note: head.note, proof: { line: lineOf(reply.body, head.note, key, at) } };
    }
    known = sizeOf(reply.status, reply.body);
  }
  throw new NotVouched('bad_answer', 'it names another size each time');
}

/** The line of the witness among those that it answered with. @param at when it was asked, in milliseconds since 1970 */
function lineOf(body: Buffer, note: string, key: WitnessAddress['key'], at: number): string {
  const { text } = openNote(note) as OpenNote;
  const signatures = readSignatures(body.toString('utf8'));
  if (signatures === undefined)
    throw new NotVouched('bad_answer', 'it answered with something else than signature lines, each once');
  let fault: string | undefined;
  for (const signature of signatures) {
    const time = isOf(signature, key) ? verifyCosignature(signature, key, text) : undefined;
    if (time === undefined) continue;
    fault = faultOfTime(time * 1_000, at);
    if (fault === undefined) return signature.line;
  }
  throw new NotVouched('bad_answer', fault ?? 'it answered without its signature');
}

/** The size that it knows. Throws `NotVouched` for any other refusal. */
function sizeOf(status: number, body: Buffer): number {
  const size = status === 409 ? readSize(body.toString('latin1').replace(/\n$/, '')) : undefined;
  if (size !== undefined) return size;
  const code = String(status);
  if (status === 422) throw new NotVouched('other_tree', 'it has signed another tree', code);
  if (status === 403 || status === 404)
    throw new NotVouched('unknown_log', 'it does not know the log or its key', code);
  throw new NotVouched('bad_answer', `it answered with the status ${code}`, code);
}
