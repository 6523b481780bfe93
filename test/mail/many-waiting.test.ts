import type { Knex } from 'knex';
import { NO_SITE } from '../../server/src/db/audit-events';
import { connect } from '../../server/src/db/knex';
import { claimMails, sitesWithMail } from '../../server/src/mail/claim-mails';
import { siteId } from '../helpers/mail/notices';
import { useServer } from '../helpers/server';

jest.setTimeout(60_000);

// Sends nothing.
const server = useServer({ variables: { ROLE: 'api' } });
let one: Knex;
afterAll(() => one?.destroy());

const WAITING = 5_000;

const wait = (id: string, n: number) =>
  one.raw(
    `INSERT INTO mails (environment_id, mail_id, kind, audience, state, content, attempts, due_at, give_up_at, created_at)
     SELECT :id::uuid, gen_random_uuid(), 'request_answered', 'visitor', 'pending', '\\x00', 0, now() - interval '1 hour',
       now() + interval '1 day', now() FROM generate_series(1, :n::int)`,
    { id, n },
  );

/** Entries of mails that were read so far, of which the database counts what this one connection reads. */
async function read(): Promise<number> {
  await one.raw('SELECT pg_stat_force_next_flush()');
  const { rows } = await one.raw<{ rows: { n: string }[] }>(
    `SELECT (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = 'mails')
       + (SELECT seq_tup_read FROM pg_stat_user_tables WHERE relname = 'mails') AS n`,
  );
  return Number(rows[0]?.n);
}

test('however many mails of a site wait, a look reads a part of them, and a claim a few', async () => {
  one = connect(server.databaseUrl, 1);
  await one('mails').delete();
  const sites = [];
  for (let n = 0; n < 3; n += 1) sites.push(await siteId(server, (await server.site()).token));
  const [first, many, last] = sites.sort() as [string, string, string];
  await wait(many, WAITING);
  for (const id of [first, last]) await wait(id, 1);
  await one.raw('ANALYZE mails');
  const costs = async (work: () => Promise<unknown>): Promise<number> => {
    const before = await read();
    await work();
    return (await read()) - before;
  };
  expect(await costs(() => sitesWithMail(one, NO_SITE, 100))).toBeLessThan(WAITING / 3);
  expect(await sitesWithMail(one, NO_SITE, 100)).toEqual({ sites: [first, many, last], last: undefined });
  // So many at a time, and the next look goes on behind them.
  expect(await sitesWithMail(one, NO_SITE, 2)).toEqual({ sites: [first, many], last: many });
  expect(await sitesWithMail(one, many, 2)).toEqual({ sites: [last], last: undefined });
  expect(await costs(() => claimMails(one, many, 3))).toBeLessThan(WAITING / 50);
  expect(await claimMails(one, many, 3)).toHaveLength(3);
});
