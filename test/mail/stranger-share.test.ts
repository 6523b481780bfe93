import { MailRow } from '../../server/src/db/models';
import { OF_ONE_BLOCK, StrangerShare } from '../../server/src/mail/stranger-share';
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
    Array.from({ length: OF_ONE_BLOCK + 5 }, () => share.take(site, '203.0.113.9')).filter(Boolean).length;
  expect([taken('one'), taken('one'), taken('other')]).toEqual([OF_ONE_BLOCK, 0, OF_ONE_BLOCK]);
  now += 86_400_000;
  expect(taken('one')).toBe(OF_ONE_BLOCK);
});
