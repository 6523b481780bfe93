import { tellMembers } from '../../server/src/jobs/notices';
import { inParts } from '../../server/src/services/notices/apart';
import { tellSites } from '../../server/src/services/notices/tell';
import type { SiteNotice } from '../../server/src/services/notices/told';
import { TellingTurns } from '../../server/src/services/notices/turns';
import { HOUR, notedFor, siteId } from '../helpers/mail/notices';
import { type Client, useServer } from '../helpers/server';
import { member } from '../helpers/site/people';

const server = useServer({ variables: { ROLE: 'api' } });
const db = () => server.service.context.db;

const breach = (client: Client, token: string) =>
  client.createBreach({
    token,
    body: {
      ...{ title: 'Lost laptop', description: 'A laptop was lost.' },
      aware_at: new Date(Date.now() - 30 * HOUR).toISOString(),
    },
  });

/** Sites of one maker, each with one thing to tell. */
async function manySites(count: number) {
  const maker = await server.person();
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const body = { name: 'Shop', domain: 'shop.example.com' };
    const { token } = await maker.client.createEnvironment({ body });
    await breach(maker.client, token);
    ids.push(await siteId(server, token));
  }
  return { ...maker, ids };
}

test('makers of sites take turns: the many sites of one do not keep others waiting', async () => {
  const many = await manySites(4);
  const other = await server.site();
  await breach(other.client, other.token);
  await breach(other.client, other.token);
  const others = await siteId(server, other.token);
  const order: string[] = [];
  const note = (_: unknown, { sql, bindings }: { sql: string; bindings: unknown[] }) => {
    if (!sql.startsWith('insert into "notices"')) return;
    order.push(...[...many.ids, others].filter((id) => bindings.includes(id)));
  };
  db().on('query-response', note);
  await tellMembers(server.service.context, new Date());
  db().removeListener('query-response', note);
  expect(order).toHaveLength(5);
  expect(order.indexOf(others)).toBe(1);
});

test('one look tells a bounded number of members about the sites of one maker, and the next ones tell the rest', async () => {
  const { context } = server.service;
  const site = await server.site();
  const members = [site, await member(server, site, 'operator'), await member(server, site, 'operator')];
  const other = await server.site();
  const now = new Date();
  const ids = [await siteId(server, site.token), await siteId(server, other.token)];
  const notices = ids.map(
    (environment_id): SiteNotice => ({
      ...{
        environment_id,
        topic: 'breach_clock',
        key: 'breach',
        message: 'A breach.',
        path: '/breaches',
        at: now,
      },
    }),
  );
  const look = () => {
    const { apart } = inParts(context.log, 'failed');
    return tellSites({ mailing: context.mail, now, apart, turns: new TellingTurns(db(), 2) }, notices);
  };
  const told = async () =>
    (await Promise.all(members.map((one) => notedFor(server, one)))).filter((noted) =>
      noted.some(({ topic }) => topic === 'breach_clock'),
    ).length;
  expect(await look()).toBe(3);
  expect(await told()).toBe(2);
  expect(await look()).toBe(1);
  expect([await told(), await look()]).toEqual([3, 0]);
});
