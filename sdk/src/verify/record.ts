import { fromBase64 } from './bytes.js';
import { type Kind, misfit } from './lines.js';
import { verifyInclusion } from './merkle.js';
import type { Checkpoint } from './note.js';
import { commitmentOf, readStatement, type Statement } from './statement.js';

/** What was found of one record. */
export interface Outcome {
  ok: boolean | 'unknown';
  what: string;
  where: string;
  /** Undefined when it could not be read. */
  statement?: Statement | undefined;
  leaf?: number;
  isPending?: boolean;
}

export const RECORD_MEMBERS: Record<string, Kind> = {
  kind: 'text',
  statement: 'text',
  blinding: 'text',
  leaf: 'number?',
  proof: 'list?',
};

const KINDS = 'consent form_consent settings vendors bundle dsar breach erasure import'.split(' ');

/** Verifies one record against a checkpoint. @param site the token of the site that it must be of */
export async function verifyRecord(
  value: Record<string, unknown>,
  site: string,
  head: Checkpoint | undefined,
  where: string,
): Promise<Outcome> {
  const fail = (what: string): Outcome => ({ ok: false, what, where });
  const wrong = misfit(value, RECORD_MEMBERS);
  if (wrong !== undefined) return fail(wrong);
  const { blinding, leaf, proof, kind } = value as {
    blinding: string;
    leaf: number;
    proof: string[];
    kind: string;
  };
  try {
    const statement = readStatement(value.statement as string);
    const about = `${statement.kind} ${nameOf(statement.record)}`.trim();
    const commitment = await commitmentOf(blinding, value.statement as string);
    if (statement.kind !== kind) return fail(`${about}: the line says to be of the kind "${kind}"`);
    if (statement.site !== site) return fail(`${about}: it is of the site ${statement.site}, not of ${site}`);
    const isPending = value.pending === true;
    if (isPending !== (leaf === null) || isPending !== (proof === null))
      return fail(`${about}: a record has a leaf and a proof, or is pending and has neither`);
    if (isPending) {
      const what = `${about}: not sealed yet, so that nothing proves it; ask for the file again`;
      return { ok: 'unknown', what, where, statement, isPending };
    }
    if (head === undefined) return fail(`${about}: there is no checkpoint to prove it against`);
    const found = await place(about, { commitment, leaf, proof }, head);
    if (found !== undefined) return { ...fail(found), statement, leaf };
    if (!KINDS.includes(kind))
      return {
        ok: 'unknown',
        what: `${about}: leaf ${leaf}; this program knows no such kind`,
        where,
        statement,
        leaf,
      };
    const since = statement.imported_on;
    const imported =
      since === undefined
        ? ''
        : `; sealed when it was imported, ${since}: nothing is proven of the time before`;
    return { ok: true, what: `${about}: leaf ${leaf} of the log${imported}`, where, statement, leaf };
  } catch (error) {
    return fail((error as Error).message);
  }
}

/** Why a commitment is not proven to be in the tree; undefined when it is. */
async function place(
  about: string,
  { commitment, leaf, proof }: { commitment: Uint8Array; leaf: number; proof: string[] },
  { size, root }: Checkpoint,
): Promise<string | undefined> {
  if (leaf >= size) return `${about}: leaf ${leaf} is not in a tree of ${size} leaves`;
  const length = proofLength(leaf, size);
  if (proof.length !== length)
    return `${about}: the proof has ${proof.length} hashes; leaf ${leaf} of ${size} has one of ${length}`;
  const bad = proof.findIndex((hash) => fromBase64(hash, 32) === undefined);
  if (bad >= 0) return `${about}: hash ${bad + 1} of the proof is not 32 bytes in base64`;
  return (await verifyInclusion({ commitment, leaf, size, root, proof }))
    ? undefined
    : `${about}: it is not in the log: its statement, blinding, leaf or proof was changed after it was sealed`;
}

/** Hashes of a leaf's proof: one for each level on which it has a sibling (RFC 9162 §2.1.3.1). */
function proofLength(leaf: number, size: number): number {
  let length = 0;
  for (let [at, last] = [leaf, size - 1]; last > 0; [at, last] = [Math.floor(at / 2), Math.floor(last / 2)])
    if (at % 2 === 1 || at < last) length += 1;
  return length;
}

/** What people know a record by. */
function nameOf(record: Record<string, unknown>): string {
  const { dsar, request, breach } = record;
  const inner = Object(request ?? dsar ?? breach) as Record<string, unknown>;
  const name =
    record.consent_id ?? record.form_consent_id ?? record.erasure_id ?? inner.request_id ?? inner.breach_id;
  const value = name ?? record.hash ?? record.version ?? '';
  const step = typeof record.step === 'string' ? ` ${record.step}` : '';
  return `${String(value)}${step}`.slice(0, 100);
}
