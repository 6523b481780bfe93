import { randomUUID } from 'node:crypto';
import { MailRow } from '../../server/src/db/models';
import { MEMBERS, STRANGERS } from '../../server/src/mail/limits';
import {
  OF_ONE_BLOCK,
  OF_ONE_SITE,
  StrangerShare,
  TO_ONE_MAILBOX,
} from '../../server/src/mail/stranger-share';
import { post } from '../helpers/http/raw';
import { useServer } from '../helpers/server';

const server = useServer({ variables: { TRUST_PROXY: '1' } });

test('one block of addresses uses up no more than its share of what a site mails to strangers in a day', async () => {
  const site = await server.site();
  const { id } = await server.service.context.db('environments').where({ token: site.token }).first('id');
  const submit = async (n: number, address: string): Promise<string> => {
    const email = `${n}@visitor.example`;
    const headers = { 'X-Forwarded-For': address };
    const sent = await post(
      server.url,
      `/api/dsar/${site.token}`,
      { request_type: 'access', email },
      headers,
    );
    expect(sent.status).toBe(201);
    const newest = MailRow.query(server.service.context.db).where({
      environment_id: id,
      kind: 'request_received',
    });
    return (await newest.orderBy('mail_id', 'desc').first())?.state as string;
  };
  for (let n = 0; n < OF_ONE_BLOCK; n += 1) expect(await submit(n, `2001:db8:5:${n}::1`)).toBe('unsent');
  expect(await submit(98, '2001:db8:5:ffff::1')).toBe('withheld');
  expect(await submit(99, '2001:db8:6::1')).toBe('unsent');
});

test('shares are of a site and a day', () => {
  let now = 0;
  const share = new StrangerShare(() => now);
  const taken = (site: string): number =>
    Array.from({ length: OF_ONE_BLOCK + 5 }, (_, n) =>
      share.take(site, '203.0.113.9', `${site} ${n}@visitor.example`),
    ).filter(Boolean).length;
  expect([taken('one'), taken('one'), taken('other')]).toEqual([OF_ONE_BLOCK, 0, OF_ONE_BLOCK]);
  now += 86_400_000;
  expect(taken('one')).toBe(OF_ONE_BLOCK);
});

test('of one mailbox a block has a share over all sites, so that it keeps nobody else’s mail away', () => {
  const share = new StrangerShare(() => 0);
  const take = (n: number, address = '203.0.113.9') =>
    share.take(`site ${n}`, address, 'carol@person.example');
  const taken = Array.from({ length: TO_ONE_MAILBOX + 3 }, (_, n) => take(n)).filter(Boolean);
  expect(taken).toHaveLength(TO_ONE_MAILBOX);
  expect(take(99, '198.51.100.7')).toBe(true);
  // Behind a proxy that is not trusted all have one address.
  for (const address of ['127.0.0.1', '::ffff:10.0.0.7', 'fd00::1', '::1'])
    expect(Array.from({ length: TO_ONE_MAILBOX + 1 }, (_, n) => take(n + 200, address))).not.toContain(false);
});

test('of what one site mails to a mailbox a network has a share, whatever its addresses', () => {
  const share = new StrangerShare(() => 0);
  const taken = (addresses: (n: number) => string): number =>
    Array.from({ length: STRANGERS.address }, (_, n) =>
      share.take('site', addresses(n), 'carol@person.example'),
    ).filter(Boolean).length;
  expect(OF_ONE_SITE).toBeLessThan(STRANGERS.address / 2);
  expect(taken((n) => `203.0.113.${n}`)).toBe(OF_ONE_SITE);
  expect(taken((n) => `2001:db8:5:${n}::1`)).toBe(OF_ONE_SITE);
  expect(share.take('other', '203.0.113.9', 'carol@person.example')).toBe(true);
  expect(share.take('site', '203.0.113.9', 'dave@person.example')).toBe(true);
});

test('what other sites have mailed to a person keeps no answer of a site away', async () => {
  const { db } = server.service.context;
  const email = 'alice@person.example';
  const answer = async (site: Awaited<ReturnType<typeof server.site>>): Promise<string> => {
    const { request_id } = await server.visitor.submitDsar({
      token: site.token,
      body: { request_type: 'access', email },
    });
    await site.client.resolveDsar({
      token: site.token,
      request_id,
      body: { resolution: 'fulfilled', answer: 'Yes.' },
    });
    const mail = await MailRow.query(db).findOne({ request_id, kind: 'request_answered' });
    return mail?.state as string;
  };
  const [other, own] = [await server.site(), await server.site()];
  expect(await answer(other)).toBe('unsent');
  const [row] = await db('mail_counts').where({ kind: 'request_answered' }).orderBy('mail_id', 'desc');
  // As answers of today of other accounts' sites.
  const many = Array.from({ length: MEMBERS.addressOfAll }, () => ({
    ...{ ...row, site_id: randomUUID(), account: randomUUID(), mail_id: randomUUID() },
  }));
  await db('mail_counts').insert(many);
  const states: string[] = [];
  for (let n = 0; n < MEMBERS.anyway + 1; n += 1) states.push(await answer(own));
  expect(states).toContain('unsent');
  expect(states[0]).toBe('unsent');
  expect(states.at(-1)).toBe('withheld');
});
