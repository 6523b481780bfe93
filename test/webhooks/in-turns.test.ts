import { deleteDeliveries } from '../../server/src/webhooks/delete-deliveries';
import { redeliverFailed } from '../../server/src/webhooks/redeliver-failed';
import { doInTurns, ENDING, type Part, SITE_TAKEN, SiteWalk } from '../../server/src/webhooks/turns';
import { siteId } from '../helpers/mail/notices';
import { useServer } from '../helpers/server';

// Does nothing by itself.
const server = useServer({ variables: { ROLE: 'api' } });
const db = () => server.service.context.db;

/** Twenty pieces of work of a site. */
const ROWS = {
  redeliveries: `INSERT INTO redeliveries
      (environment_id, redelivery_id, scope, since, until, after_at, after_id, created_at, advanced_at)
    SELECT ?, gen_random_uuid(), n::text, now(), now(), now(), gen_random_uuid(), now(), now()
    FROM generate_series(1, 20) AS n`,
  deleted_webhooks: `INSERT INTO deleted_webhooks (environment_id, webhook_id, deleted_at, after_at, advanced_at)
    SELECT ?, gen_random_uuid(), now() - interval '1 hour', 'epoch', now() - interval '1 hour' FROM generate_series(1, 20)`,
};

const waiting = (sites: string[]) =>
  sites.map((environment_id, n) => ({ environment_id, advanced_at: new Date(n) }));

test('what another process has in its hands leaves the turn to the next of the same group', async () => {
  const { client, token } = await server.site();
  const body = { name: 'Second', domain: 'second.example.com' };
  const second = (await client.createEnvironment({ body })).token;
  const sites = [await siteId(server, token), await siteId(server, second)];
  const doPart = async (row: { environment_id: string }): Promise<Part<string> | undefined> =>
    row.environment_id === sites[0] ? undefined : { done: [row.environment_id], more: false };
  const { done } = await doInTurns(db(), waiting(sites), () => true, doPart, ENDING);
  expect(done).toEqual([sites[1]]);
});

test('where another process has a whole site, the turn is one of another site, and its rows are left alone', async () => {
  const { client, token } = await server.site();
  const body = { name: 'Second', domain: 'second.example.com' };
  const second = await siteId(server, (await client.createEnvironment({ body })).token);
  const first = await siteId(server, token);
  const tried: string[] = [];
  const doPart = async (row: { environment_id: string }): Promise<Part<string> | typeof SITE_TAKEN> => {
    tried.push(row.environment_id);
    return row.environment_id === first ? SITE_TAKEN : { done: [row.environment_id], more: false };
  };
  const rows = waiting([first, first, first, second]);
  const { done } = await doInTurns(db(), rows, () => true, doPart, ENDING);
  expect([tried, done]).toEqual([[first, second], [second]]);
});

test.each([
  ['redeliveries', redeliverFailed, 'redeliveries'],
  ['deletions of webhooks', deleteDeliveries, 'deleted_webhooks'],
] as const)(
  '%s that another process has in its hands cost a second one one transaction',
  async (_, chore, table) => {
    const id = await siteId(server, (await server.site()).token);
    await db().raw(ROWS[table], [id]);
    const other = await db().transaction();
    await other(table).where({ environment_id: id }).forUpdate();
    let begun = 0;
    const counting = new Proxy(db(), {
      get: (knex, name, whole) => {
        if (name === 'transaction') begun += 1;
        return Reflect.get(knex, name, whole);
      },
    });
    const { more } = await chore(counting);
    await other.rollback();
    await db()(table).where({ environment_id: id }).delete();
    expect([begun, more]).toEqual([1, false]);
  },
);

test('one part is done also when no time is left, and no second one', async () => {
  const sites = [
    await siteId(server, (await server.site()).token),
    await siteId(server, (await server.site()).token),
  ];
  const doPart = async (row: { environment_id: string }): Promise<Part<string>> => ({
    done: [row.environment_id],
    more: true,
  });
  const { done } = await doInTurns(db(), waiting(sites), () => false, doPart, ENDING);
  expect(done).toHaveLength(1);
});

test('a walk reads so many rows at most, comes by every site, and begins anew', async () => {
  const rows = waiting(['1', '1', '1', '1', '2', '3', '3']).map(({ environment_id, advanced_at }) => ({
    ...{ environment_id: `${environment_id}0000000-0000-0000-0000-000000000000`, advanced_at },
  }));
  const walk = new SiteWalk(3);
  const seen: string[][] = [];
  const ends: boolean[] = [];
  for (let round = 0; round < 3; round += 1) {
    const some = await walk.next(async (after, most) =>
      rows.filter(({ environment_id }) => environment_id > after).slice(0, most),
    );
    seen.push(some.map(({ environment_id }) => environment_id.slice(0, 1)));
    // Something was found in the first round alone.
    ends.push(!walk.goesOn(round === 0));
  }
  expect(seen).toEqual([['1', '1', '1'], ['2', '3', '3'], []]);
  // After the last site once more, since there was more at the first one.
  expect(ends).toEqual([false, false, false]);
  expect(walk.goesOn(false)).toBe(false);
});
