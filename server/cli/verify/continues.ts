import type { Step, Verification } from '@avow/sdk/verify';
import { EMPTY_ROOT } from '../../src/domain/ledger/hash';
import { type KeptHead, readHeads } from '../kept-heads';

type Found = Pick<Step, 'ok' | 'what'>;

/**
 * Whether the log of a file continues the heads of another one, which was handed out earlier. A log that is shorter
 * now, or has another root at the same size, was rolled back or written anew. A receipt is by whichever head a witness
 * has seen, which may be older than what was kept: that is no log that was rolled back.
 * @param found what the verifier found of the file: only heads that it verified are compared
 */
export async function continues(found: Pick<Verification, 'heads' | 'kind'>, earlier: string): Promise<Step> {
  return { step: 'checkpoint', where: earlier, ...judge(found, await readHeads(earlier)) };
}

function judge({ heads, kind }: Pick<Verification, 'heads' | 'kind'>, all: readonly KeptHead[]): Found {
  const [head] = heads;
  const kept = all.reduce((one, other) => (other.size > one.size ? other : one));
  const about = aboutHead(kept);
  if (head === undefined)
    return { ok: 'unknown', what: `the file holds no head that could continue ${about}` };
  const foreign = all.find(({ origin }) => origin !== head.origin);
  if (foreign !== undefined)
    return {
      ok: false,
      what: `${aboutHead(foreign)} is of the log ${foreign.origin}, the file of ${head.origin}`,
    };
  const unreal = all.find(({ size, root }) => size === 0 && !root.equals(EMPTY_ROOT));
  if (unreal !== undefined)
    return { ok: false, what: `${aboutHead(unreal)} is of no log: one without leaves has another root` };
  // Whoever makes a log of that name continues it: nothing is shown by that.
  if (kept.size === 0)
    return { ok: 'unknown', what: `every log of that name continues ${about}: keep a later one to compare` };
  const compared = all.filter(({ size }) => heads.some((one) => one.size === size));
  const other = compared.find(({ size, root }) =>
    heads.some((one) => one.size === size && !root.equals(one.root)),
  );
  if (other !== undefined)
    return { ok: false, what: `the log was written anew: ${aboutHead(other)} is of another history` };
  if (compared.includes(kept)) return { ok: true, what: `it continues ${about}` };
  if (head.size > kept.size)
    return {
      ok: 'unknown',
      what: `the file holds no proof that it continues ${about}: npm run doctor -- --ledger --checkpoint finds out`,
    };
  if (kind !== 'receipt')
    return { ok: false, what: `the log was rolled back: it has ${head.size} leaves, after ${about}` };
  return compared.length > 0
    ? { ok: true, what: `the receipt is proven by a head of ${head.size} leaves, which you kept, too` }
    : {
        ok: 'unknown',
        what: `the receipt is proven by a head of ${head.size} leaves, which is older than the one of ${kept.size} that you kept: it says nothing about it`,
      };
}

const aboutHead = ({ size }: KeptHead): string => `the head of ${size} leaves that was handed out earlier`;
