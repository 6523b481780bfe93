import type { Knex } from 'knex';
import { headOf } from '../db/ledger/heads';
import type { ConsentRow } from '../db/models';
import { clock } from '../domain/clock';
import { notFound } from '../domain/errors';
import { commitmentOf } from '../domain/ledger/commitment';
import { type HiddenRecord, hideConsents, type LogOwner } from './pack/records';
import { type SealingState, sealingState } from './sealing-state';
import { type FactRow, openFact } from './statements';

/** A consent record with its proof, if it is sealed. */
export interface ProvenConsent {
  hidden: HiddenRecord;
  state: SealingState;
}

/** Looks for a consent record in the log of its site. */
export async function proveConsent(
  db: Knex,
  { id, token }: Pick<LogOwner, 'id' | 'token'>,
  row: ConsentRow,
): Promise<ProvenConsent> {
  const importedOn = (await headOf(db, id))?.imported_on?.toISOString();
  const [hidden] = await hideConsents(db, { id, token, importedOn }, [row]);
  if (hidden === undefined) throw notFound('The consent record');
  const { statement, blinding, at } = hidden;
  const commitment = blinding === null ? undefined : commitmentOf(blinding, statement);
  return { hidden, state: await sealingState(db, id, { commitment, at }) };
}

/** Signatures that are looked at, of the first states with a record and of the newest: in years there are many. */
const LOOKED_AT = 100;

/** Whether a consent record is sealed, and who has vouched for a log with it, as its page shows it. */
export async function evidenceOf(db: Knex, owner: Pick<LogOwner, 'id' | 'token'>, row: ConsentRow) {
  const { hidden, state } = await proveConsent(db, owner, row);
  return viewState(db, owner.id, state, JSON.parse(hidden.statement).imported_on ?? null);
}

/** The same of a form consent. */
export async function evidenceOfForm(db: Knex, environment_id: string, form_consent_id: string) {
  const fact: FactRow | undefined = await db('ledger_facts')
    .where({ environment_id, kind: 'form_consent', subject: form_consent_id })
    .first();
  const opened = fact && (await openFact(db, fact));
  const sought = { commitment: opened?.commitment, at: opened?.at ?? clock.date() };
  const state = await sealingState(db, environment_id, sought);
  const importedOn = fact?.imported ? (await headOf(db, environment_id))?.imported_on : undefined;
  return viewState(db, environment_id, state, importedOn?.toISOString() ?? null);
}

/** How far a record has come, as the API shows it. */
export async function viewState(
  db: Knex,
  environment_id: string,
  state: SealingState,
  imported_on: string | null,
) {
  if (state.status !== 'sealed')
    return {
      ...{ status: state.status, leaf: null, size: null, sealed_at: null, witnesses: [] },
      ...{ timestamped_at: null, imported_on },
    };
  const { leaf, head } = state.proof;
  const later = (table: string) =>
    db(table).where({ environment_id }).where('size', '>', leaf).where('size', '<=', head.size);
  const witnessesOf = (order: 'asc' | 'desc'): Promise<string[]> =>
    later('ledger_cosignatures').orderBy('size', order).limit(LOOKED_AT).pluck('witness');
  const witnesses = new Set([...(await witnessesOf('asc')), ...(await witnessesOf('desc'))]);
  const stamps: Date[] = await later('ledger_timestamps').orderBy('size').limit(LOOKED_AT).pluck('gen_time');
  const stamp = stamps.sort((a, b) => a.getTime() - b.getTime())[0];
  return {
    ...{ status: 'sealed' as const, leaf, size: head.size, sealed_at: head.sealed_at.toISOString() },
    witnesses: [...witnesses].map((vkey) => vkey.slice(0, vkey.indexOf('+'))).sort(),
    ...{ timestamped_at: stamp?.toISOString() ?? null, imported_on },
  };
}
