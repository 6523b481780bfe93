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
  'pending?': 'any',
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
      return fail(`${about}: leaf, proof and pending do not agree`);
    if (isPending) {
      const what = `${about}: not sealed yet, so that nothing proves it: ask again`;
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
  return (await verifyInclusion({ commitment, leaf, size, root, proof }))
    ? undefined
    : `${about}: it is not in the log: it, or its proof, was changed`;
}

/** What people know a record by. */
function nameOf(record: Record<string, unknown>): string {
  const { dsar, request, breach } = record;
  const inner = Object(request ?? dsar ?? breach) as Record<string, unknown>;
  const name =
    record.consent_id ?? record.form_consent_id ?? record.erasure_id ?? inner.request_id ?? inner.breach_id;
  const value = name ?? record.hash ?? record.version ?? '';
  // Who took a step, and what they wrote; earlier versions did not seal it.
  const said = [record.step, record.actor, record.note].filter((text) => typeof text === 'string');
  return `${String(value)} ${said.join(', ')}`.trim().slice(0, 600);
}
