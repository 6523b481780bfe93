import { randomBytes } from 'node:crypto';
import { groupKeyOf } from '../../server/src/db/ledger/group-key';
import { pendingRows } from '../../server/src/db/ledger/pending';
import { takeStep } from '../../server/src/db/ledger/steps';
import { BreachRow } from '../../server/src/db/models';
import type { HistoryEntry } from '../../server/src/domain/types';
import { auditSite } from '../../server/src/ledger/audit';
import { waitingForLocks } from '../helpers/cluster/instruments';
import { sealAll } from '../helpers/ledger/sealed-site';
import { useServer } from '../helpers/server';
import { breachInput } from '../helpers/site/data-subject-requests';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

const server = useServer({ variables: { ROLE: 'api' } });

test('a step that was committed between two pages of a sealing is not sealed behind the one after it', async () => {
  const { db } = server.service.context;
  const { client, token } = await server.site();
  const { id } = await db('environments').where({ token }).first('id');
  const { breach_id } = await client.createBreach({ token, body: breachInput() });
  await sealAll(server);
  const step = async (trx: typeof db): Promise<void> => {
    const row = (await BreachRow.query(trx)
      .findOne({ environment_id: id, breach_id })
      .forUpdate()) as BreachRow;
    const entry = { at: new Date().toISOString(), action: 'updated', actor: 'owner', note: '' };
    const history = [...row.history, { ...row.history[0], ...entry } as HistoryEntry];
    await takeStep(trx, row, { history });
  };

  // Begun first, committed late.
  const early = await db.transaction();
  const lock = await db.transaction();
  try {
    await step(early);
    // A page of other groups.
    const at = new Date().toISOString();
    const leaf = () => ({ environment_id: id, at, commitment: randomBytes(32).toString('hex') });
    const groups = Array.from({ length: 200 }, () => pendingRows(groupKeyOf(db), [leaf()])).flat();
    const bytes = (text: string) => Buffer.from(text.slice(2), 'hex');
    await db('ledger_pending').insert(
      groups.map(({ leaves, mac, ...group }) => ({ ...group, leaves: bytes(leaves), mac: bytes(mac) })),
    );
    // The sealing waits at the end of its first page.
    await lock('ledger_pending').where({ environment_id: id, group_id: groups[0]?.group_id }).forUpdate();
    const sealing = sealAll(server);
    await until('it waits', async () => (await waitingForLocks(server.databaseUrl)) > 0);
    await early.commit();
    await db.transaction(step);
    await lock.commit();
    await sealing;
  } finally {
    for (const trx of [early, lock]) if (!trx.isCompleted()) await trx.rollback();
  }
  await sealAll(server);
  expect(await db('ledger_pending').where({ environment_id: id })).toEqual([]);
  const findings = await db.transaction((trx) => auditSite(trx, { id, token }, { groupKey: groupKeyOf(db) }));
  expect(findings.of('altered')).toEqual([]);
});
