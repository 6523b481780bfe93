import pino from 'pino';
import { Sealer } from '../../server/src/ledger/seal';
import { decide } from '../helpers/ledger/sealed-site';
import { useServer } from '../helpers/server';

const server = useServer({ variables: { ROLE: 'api' } });

/** All that a log is, which somebody with the database can put back as a whole. */
const TABLES = ['ledger_heads', 'ledger_entries', 'ledger_tiles', 'ledger_segments'];

test('a process that has sealed more of a log than there is says so, once', async () => {
  const { db, vault, publicUrl } = server.service.context;
  const { token } = await server.site();
  const { id } = await db('environments').where({ token }).first('id');
  const own = (table: string) => db(table).where({ environment_id: id });
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const sealer = new Sealer({ db, vault, publicUrl, log });
  const told = () => lines.filter((line) => line.includes('the log of a site is shorter'));
  const record = async (): Promise<void> => {
    await decide(server, token);
    await sealer.run();
  };
  await record();
  const state = [];
  for (const table of TABLES) state.push([table, await own(table)] as const);
  await record();
  await record();
  expect(told()).toEqual([]);
  for (const [table, rows] of state) {
    await own(table).delete();
    if (rows.length > 0) await db(table).insert(rows);
  }
  await record();
  expect(told()).toEqual([expect.stringContaining(id)]);
  // A log that goes on from there is as long as this process knows it.
  await record();
  expect(told()).toHaveLength(1);
  expect(Number((await own('ledger_heads').first('size')).size)).toBe(Number(state[0]?.[1][0].size) + 2);
});
