import { refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';
import { submit } from '../helpers/site/data-subject-requests';
import { member, type Owned, rowsIn } from '../helpers/site/people';
import { INWARD } from '../helpers/webhooks/receiver';

const server = useServer({ variables: INWARD });

const body = { reason: 'The answer was meant for another request.' };
const NOTE = 'Sent by letter.';

async function resolved(site: Owned) {
  const { request_id, due_at } = await submit(server, site.token);
  const path = { token: site.token, request_id };
  const answer = { resolution: 'refused', note: NOTE } as const;
  await site.client.resolveDsar({ ...path, body: answer });
  return { path, due_at, resolve: () => site.client.resolveDsar({ ...path, body: answer }) };
}

test('a request that was resolved by mistake is open again under its deadline, and its history tells all', async () => {
  const site = await server.site();
  const { path, due_at, resolve } = await resolved(site);
  const ada = await member(server, site, 'operator');
  const reopened = await ada.client.reopenDsar({ ...path, body });
  expect(reopened).toMatchObject({
    status: 'in_progress',
    due_at,
    ...{ resolved_at: null, resolution: null, resolution_note: null },
  });
  expect(reopened.history.map(({ actor, action, note }) => [actor, action, note])).toEqual([
    ['data subject', 'created', null],
    [site.email, 'resolved: refused', NOTE],
    [ada.email, 'reopened', body.reason],
  ]);
  expect(await site.client.getDsar(path)).toEqual({
    ...reopened,
    ...{ search: null, evidence: expect.any(Object), answer: null, undelivered: [] },
  });
  const open = await site.client.listDsar({ token: site.token, status: 'in_progress' });
  expect(open.items.map(({ request_id }) => request_id)).toEqual([path.request_id]);
  // It can be extended and resolved like any other, and receivers are told of the answer that counts.
  await site.client.extendDsar({ ...path, body: { reason: 'Many systems.' } });
  expect((await resolve()).status).toBe('resolved');
  const events = (await rowsIn(server, 'events', site.token)).map(({ event }) => event);
  expect(events.sort()).toEqual(['dsar.created', 'dsar.resolved', 'dsar.resolved']);
});

test('after its deadline a reopened request is overdue, and warned of', async () => {
  const site = await server.site();
  const { path } = await resolved(site);
  const past = new Date(Date.now() - 3_600_000);
  await server.service.context
    .db('dsar_requests')
    .where({ request_id: path.request_id })
    .update({ due_at: past });
  const codes = async () =>
    (await site.client.listWarnings({ token: site.token })).items.map(({ code }) => code);
  expect(await codes()).not.toContain('dsar_overdue');
  expect((await site.client.reopenDsar({ ...path, body })).overdue).toBe(true);
  expect(await codes()).toContain('dsar_overdue');
});

test('of operators who reopen it at once one succeeds; what is open, or was opened too often, is refused', async () => {
  const site = await server.site();
  const { path, resolve } = await resolved(site);
  const reopen = () => site.client.reopenDsar({ ...path, body });
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, reopen));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await refusal(reopen())).toMatchObject({
    status: 409,
    message: expect.stringContaining('in_progress'),
  });
  for (let times = 1; times < 20; times += 1) {
    await resolve();
    await reopen();
  }
  await resolve();
  const last = await site.client.getDsar(path);
  expect(await refusal(reopen())).toMatchObject({
    status: 409,
    message: expect.stringContaining('20 times'),
  });
  expect(await site.client.getDsar(path)).toEqual(last);
});

test('viewers and strangers may not', async () => {
  const site = await server.site();
  const { path } = await resolved(site);
  const viewer = await member(server, site, 'viewer');
  expect((await refusal(viewer.client.reopenDsar({ ...path, body }))).status).toBe(403);
  const { client } = await server.site();
  expect((await refusal(client.reopenDsar({ ...path, body }))).status).toBe(404);
});
