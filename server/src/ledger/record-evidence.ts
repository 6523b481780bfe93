import type { Knex } from 'knex';
import { headOf } from '../db/ledger/heads';
import type { ConsentRow } from '../db/models';
import { commitmentOf } from '../domain/ledger/commitment';
import { type HiddenRecord, hideConsents, type LogOwner } from './pack/records';
import { type LeafProof, proveLeaf } from './proofs';

/** A consent record with its proof, if it is sealed. */
export interface ProvenConsent {
  hidden: HiddenRecord;
  proof: LeafProof | undefined;
}

/** Looks for a consent record in the log of its site. */
export async function proveConsent(
  db: Knex,
  { id, token }: Pick<LogOwner, 'id' | 'token'>,
  row: ConsentRow,
): Promise<ProvenConsent> {
  const importedOn = (await headOf(db, id))?.imported_on?.toISOString();
  const [hidden] = (await hideConsents(db, { id, token, importedOn }, [row])) as [HiddenRecord];
  const { statement, blinding, at } = hidden;
  const proof =
    blinding === null ? undefined : await proveLeaf(db, id, commitmentOf(blinding, statement), at);
  return { hidden, proof };
}

/** Whether a consent record is sealed, and who has vouched for a log with it, as its page shows it. */
export async function evidenceOf(db: Knex, owner: Pick<LogOwner, 'id' | 'token'>, row: ConsentRow) {
  const { hidden, proof } = await proveConsent(db, owner, row);
  return viewProof(db, owner.id, proof, JSON.parse(hidden.statement).imported_on ?? null);
}

/** A proof as the API shows it: without one the record waits to be sealed. */
export async function viewProof(
  db: Knex,
  environment_id: string,
  proof: LeafProof | undefined,
  imported_on: string | null,
) {
  if (proof === undefined)
    return {
      ...{ status: 'waiting' as const, leaf: null, size: null, sealed_at: null, witnesses: [] },
      ...{ timestamped_at: null, imported_on },
    };
  const { leaf, head } = proof;
  const later = (table: string) =>
    db(table).where({ environment_id }).where('size', '>', leaf).where('size', '<=', head.size);
  const witnesses: string[] = await later('ledger_cosignatures')
    .distinct('witness')
    .orderBy('witness')
    .pluck('witness');
  const stamp = await later('ledger_timestamps')
    .orderBy('gen_time')
    .first<{ gen_time: Date } | undefined>('gen_time');
  return {
    ...{ status: 'sealed' as const, leaf, size: head.size, sealed_at: head.sealed_at.toISOString() },
    witnesses: witnesses.map((vkey) => vkey.slice(0, vkey.indexOf('+'))),
    ...{ timestamped_at: stamp?.gen_time.toISOString() ?? null, imported_on },
  };
}
