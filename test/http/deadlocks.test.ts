import { addTrigger, rowsOfNodes, runOnNodes } from '../helpers/cluster/instruments';
import { refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';
import { member } from '../helpers/site/people';

const server = useServer({ variables: { ROLE: 'api' } });

const breach = { title: 'Lost laptop', description: 'A laptop was lost.', aware_at: '2026-01-05T08:00:00Z' };

/** The first so many breaches that are stored end as those do that wait for each other. Resolves to how many were tried. */
async function deadlocks(count: number): Promise<() => Promise<number>> {
  // No transaction gives back what it has taken of a sequence.
  await runOnNodes(server.databaseUrl, ['CREATE SEQUENCE tries']);
  const remove = await addTrigger(server.databaseUrl, {
    ...{ name: 'end_as_deadlock', table: 'breaches', event: 'BEFORE INSERT' },
    body: `IF nextval('tries') <= ${count} THEN RAISE 'deadlock detected' USING ERRCODE = '40P01'; END IF; RETURN NEW;`,
  });
  return async () => {
    await remove();
    const rows = await rowsOfNodes<{ tries: string }>(
      server.databaseUrl,
      'SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS tries FROM tries',
    );
    await runOnNodes(server.databaseUrl, ['DROP SEQUENCE tries']);
    return rows.reduce((sum, { tries }) => sum + Number(tries), 0);
  };
}

test('a request that a deadlock has undone runs again, and is stored, told and noted once', async () => {
  const { client, token } = await server.site();
  const end = await deadlocks(2);
  const idempotencyKey = 'lost-laptop';
  const made = await client.createBreach({ token, body: breach }, { idempotencyKey });
  expect(await end()).toBe(3);
  expect(await client.createBreach({ token, body: breach }, { idempotencyKey })).toEqual(made);
  expect((await client.listBreaches({ token })).items.map(({ breach_id }) => breach_id)).toEqual([
    made.breach_id,
  ]);
  const events = (await client.listAuditEvents({ token })).items.filter(
    ({ operation }) => operation === 'createBreach',
  );
  expect(events.map(({ resource_id }) => resource_id)).toEqual([made.breach_id]);
});

test('whoever is undone again and again is asked to come later, and nothing is stored', async () => {
  const { client, token } = await server.site();
  const end = await deadlocks(99);
  const error = await refusal(client.createBreach({ token, body: breach }));
  expect(await end()).toBe(4);
  expect([error.status, error.code]).toEqual([503, 'unavailable']);
  expect((await client.listBreaches({ token })).items).toEqual([]);
});

test('people who are invited and join at once all come in', async () => {
  const site = await server.site();
  const people = await Promise.all(Array.from({ length: 6 }, () => member(server, site, 'operator')));
  const { items } = await site.client.listMembers({ token: site.token });
  const ids = [site, ...people].map(({ userId }) => userId).sort((a, b) => a - b);
  expect(items.map(({ user_id }) => user_id).sort((a, b) => a - b)).toEqual(ids);
});
