import type { Knex } from 'knex';
import type { Config } from '../config';
import { latestProofs, type ProofRow } from '../db/ledger/vouchers';

/** Whoever is configured to vouch for a site's log, and what they vouched for last. */
export async function viewVouchers(
  db: Knex,
  environmentId: string,
  { witnesses, timestampUrls }: Pick<Config, 'witnesses' | 'timestampUrls'>,
) {
  const [vkeys, urls] = [witnesses.map(({ vkey }) => vkey), timestampUrls.map(({ name }) => name)];
  if (vkeys.length + urls.length === 0) return { witnesses: [], timestamps: [] };
  const rows = new Map(
    (await latestProofs(db, environmentId, [...vkeys, ...urls])).map((row) => [row.voucher, row]),
  );
  return {
    witnesses: witnesses.map(({ vkey, key }) => {
      const row = rows.get(vkey);
      const checkpoint = row?.note && row.line ? `${row.note}${row.line}\n` : null;
      const at = row?.vouched_at?.toISOString() ?? null;
      return { name: key.name, vkey, size: sizeOf(row), at, checkpoint, failing_since: failingSince(row) };
    }),
    timestamps: urls.map((authority) => {
      const row = rows.get(authority);
      return {
        ...{ authority, size: sizeOf(row), gen_time: row?.gen_time?.toISOString() ?? null },
        ...{ checkpoint: row?.note ?? null, token: row?.token?.toString('base64') ?? null },
        failing_since: failingSince(row),
      };
    }),
  };
}

/** A voucher that has failed from the beginning has a row of its failures, and size 0. */
const sizeOf = (row: ProofRow | undefined): number | null =>
  row === undefined || row.vouched_at === null ? null : Number(row.size);

const failingSince = (row: ProofRow | undefined): string | null => row?.failing_since?.toISOString() ?? null;
