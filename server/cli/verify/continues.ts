import type { Step } from '@avow/sdk/verify';
import type { Checkpoint } from '../../src/domain/ledger/open-note';
import { readHeads } from '../kept-heads';

/**
 * Whether the log of a file continues the heads of another one, which was handed out earlier. A log that is shorter
 * now, or has another root at the same size, was rolled back or written anew.
 */
export async function continues(file: string, earlier: string): Promise<Step> {
  const heads = await readHeads(file);
  const [kept] = await readHeads(earlier);
  return { step: 'checkpoint', where: earlier, ...judge(heads, kept) };
}

function judge(heads: [Checkpoint, ...Checkpoint[]], kept: Checkpoint): Pick<Step, 'ok' | 'what'> {
  const [head] = heads;
  const about = `the head of ${kept.size} leaves that was handed out earlier`;
  if (head.origin !== kept.origin)
    return { ok: false, what: `${about} is of the log ${kept.origin}, the file of ${head.origin}` };
  if (head.size < kept.size)
    return { ok: false, what: `the log was rolled back: it has ${head.size} leaves, after ${about}` };
  const same = heads.find(({ size }) => size === kept.size);
  if (same === undefined)
    return {
      ok: 'unknown',
      what: `the file holds no proof that it continues ${about}: npm run doctor -- --ledger --checkpoint finds out`,
    };
  return same.root.equals(kept.root)
    ? { ok: true, what: `it continues ${about}` }
    : { ok: false, what: `the log was written anew: ${about} is of another history` };
}
