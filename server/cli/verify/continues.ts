import type { Step, Verification } from '@avow/sdk/verify';
import { type KeptHead, readHeads } from '../kept-heads';

/**
 * Whether the log of a file continues the heads of another one, which was handed out earlier. A log that is shorter
 * now, or has another root at the same size, was rolled back or written anew.
 * @param found what the verifier found of the file: only heads that it verified are compared
 */
export async function continues({ heads }: Pick<Verification, 'heads'>, earlier: string): Promise<Step> {
  const [kept] = await readHeads(earlier);
  return { step: 'checkpoint', where: earlier, ...judge(heads, kept) };
}

function judge(heads: Verification['heads'], kept: KeptHead): Pick<Step, 'ok' | 'what'> {
  const [head] = heads;
  const about = `the head of ${kept.size} leaves that was handed out earlier`;
  if (head === undefined)
    return { ok: 'unknown', what: `the file holds no head that could continue ${about}` };
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
  return kept.root.equals(same.root)
    ? { ok: true, what: `it continues ${about}` }
    : { ok: false, what: `the log was written anew: ${about} is of another history` };
}
