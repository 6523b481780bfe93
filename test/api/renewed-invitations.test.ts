import { randomUUID } from 'node:crypto';
import { createAvow } from '@avow/sdk';
import { checkedFetch } from '../helpers/contract';
import { refusal } from '../helpers/http/refusal';
import { PASSWORD, useServer } from '../helpers/server';
import { codeOf, join } from '../helpers/site/people';

const server = useServer();

const accept = (code: string) => server.visitor.acceptInvitation({ body: { code, password: PASSWORD } });

async function invite() {
  const site = await server.site();
  const email = `${randomUUID()}@example.com`;
  const member = await site.client.addMember({ token: site.token, body: { email, role: 'viewer' } });
  const { token, client } = site;
  const { user_id, invitation_url } = member;
  return { client, token, user_id, email, owner: site, code: codeOf(invitation_url) };
}

test('a new link lets the invited person in, and the older one ends', async () => {
  const { client, token, user_id, email, code } = await invite();
  const renewed = await client.renewInvitation({ token, user_id });
  expect(renewed).toEqual({
    user_id,
    email,
    invitation_url: expect.stringMatching(/\/console\/setup#[\w-]{43}$/),
  });
  expect((await refusal(accept(code))).status).toBe(404);
  expect((await accept(codeOf(renewed.invitation_url))).user.id).toBe(user_id);
  expect((await client.listMembers({ token })).items[0]?.status).toBe('active');
});

test('a link that has expired is replaced by one that works for 7 days', async () => {
  const { client, token, user_id, code } = await invite();
  const { db } = server.service.context;
  await db('site_invitations')
    .where({ user_id })
    .update({ expires_at: new Date(Date.now() - 1000) });
  expect((await refusal(accept(code))).status).toBe(404);
  const before = Date.now();
  const { invitation_url } = await client.renewInvitation({ token, user_id });
  const [{ expires_at }] = await db('site_invitations').where({ user_id });
  const days = (expires_at.getTime() - before) / 86_400_000;
  expect(days).toBeGreaterThanOrEqual(7);
  expect(days).toBeLessThan(7.1);
  await accept(codeOf(invitation_url));
});

test('who has an account is sent no link', async () => {
  const { client, token, user_id, code, owner } = await invite();
  await accept(code);
  for (const id of [user_id, owner.userId]) {
    const error = await refusal(client.renewInvitation({ token, user_id: id }));
    expect([error.status, error.code]).toEqual([409, 'conflict']);
  }
  expect(await server.service.context.db('site_invitations').where({ user_id })).toEqual([]);
});

test('each link opens the site that it was made for, and ends no link of another site', async () => {
  const { client, token, email, code } = await invite();
  const second = await client.createEnvironment({ body: { name: 'Second', domain: 'second.example.com' } });
  const body = { email, role: 'owner' as const };
  const other = await client.addMember({ token: second.token, body });
  const { token: bearer } = await accept(code);
  const guest = createAvow({ baseUrl: server.url, token: bearer, fetch: checkedFetch, retries: 0 });
  expect((await guest.listEnvironments()).items).toMatchObject([{ token, role: 'viewer' }]);
  await guest.joinEnvironment({ body: { code: codeOf(other.invitation_url) } });
  expect((await guest.listEnvironments()).items).toHaveLength(2);
});

describe('an invitation ends with the power of whoever made it', () => {
  /** An environment whose second owner has invited somebody. */
  async function inviteByPartner() {
    const site = await server.site();
    const { token, client } = site;
    const partner = await server.person();
    await join({ client, token }, partner, 'owner');
    const email = `${randomUUID()}@example.com`;
    const invited = await partner.client.addMember({ token, body: { email, role: 'viewer' } });
    return { token, client, partner, user_id: invited.user_id, code: codeOf(invited.invitation_url) };
  }
  type Invited = Awaited<ReturnType<typeof inviteByPartner>>;
  const demote = ({ client, token, partner }: Invited) =>
    client.updateMember({ token, user_id: partner.userId, body: { role: 'operator' } });
  const remove = ({ client, token, partner }: Invited) =>
    client.removeMember({ token, user_id: partner.userId });

  test.each([
    ['removed', remove],
    ['an owner no more', demote],
    [
      'gone by themselves',
      ({ partner, token }: Invited) => partner.client.removeMember({ token, user_id: partner.userId }),
    ],
  ])('when they are %s; a new one can be made', async (_, end) => {
    const invited = await inviteByPartner();
    await end(invited);
    expect((await refusal(accept(invited.code))).status).toBe(404);
    const { client, token, user_id } = invited;
    const renewed = await client.renewInvitation({ token, user_id });
    expect((await accept(codeOf(renewed.invitation_url))).user.id).toBe(user_id);
  });

  test('also a renewed one', async () => {
    const invited = await inviteByPartner();
    const { partner, token, user_id } = invited;
    const renewed = await partner.client.renewInvitation({ token, user_id });
    await demote(invited);
    expect((await refusal(accept(codeOf(renewed.invitation_url)))).status).toBe(404);
  });

  test('not one that somebody else made, nor one to where they are an owner still', async () => {
    const invited = await inviteByPartner();
    const { client, token, partner, user_id } = invited;
    const renewed = await client.renewInvitation({ token, user_id });
    const own = await partner.client.createEnvironment({ body: { name: 'Own', domain: 'own.example.com' } });
    const body = { email: `${randomUUID()}@example.com`, role: 'viewer' as const };
    const other = await partner.client.addMember({ token: own.token, body });
    await remove(invited);
    expect((await accept(codeOf(renewed.invitation_url))).user.id).toBe(user_id);
    expect((await accept(codeOf(other.invitation_url))).user.id).toBe(other.user_id);
  });

  test('nor does an owner who stays one lose theirs', async () => {
    const { client, token, partner, user_id, code } = await inviteByPartner();
    await client.updateMember({ token, user_id: partner.userId, body: { role: 'owner' } });
    expect((await accept(code)).user.id).toBe(user_id);
  });

  test('one that is made while its maker is removed does not outlive them', async () => {
    for (let round = 0; round < 10; round += 1) {
      const invited = await inviteByPartner();
      const { token, partner, user_id } = invited;
      const [renewed] = await Promise.allSettled([
        partner.client.renewInvitation({ token, user_id }),
        remove(invited),
      ]);
      if (renewed.status === 'fulfilled')
        expect((await refusal(accept(codeOf(renewed.value.invitation_url)))).status).toBe(404);
      else expect([403, 404]).toContain(renewed.reason.status);
    }
  });
});

test('who is invited elsewhere only is unknown here', async () => {
  const { user_id, code } = await invite();
  const stranger = await server.site();
  const error = await refusal(stranger.client.renewInvitation({ token: stranger.token, user_id }));
  expect([error.status, error.code]).toEqual([404, 'not_found']);
  await accept(code);
});

test('a repeated request with the same key answers the same link, and the link is not stored as it is', async () => {
  const { client, token, user_id } = await invite();
  const idempotencyKey = randomUUID();
  const first = await client.renewInvitation({ token, user_id }, { idempotencyKey });
  expect(await client.renewInvitation({ token, user_id }, { idempotencyKey })).toEqual(first);
  const stored = await server.service.context.db('idempotency_keys').where({ key: idempotencyKey }).first();
  expect(stored.answer.toString('latin1')).not.toContain('setup#');
  await accept(codeOf(first.invitation_url));
});

test('a link that is used while it is renewed: one of the two happens, and nobody is locked out', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { client, token, user_id, code } = await invite();
    const [used, renewed] = await Promise.allSettled([
      accept(code),
      client.renewInvitation({ token, user_id }),
    ]);
    if (used.status === 'fulfilled') {
      expect(renewed.status === 'rejected' && renewed.reason.status).toBe(409);
    } else {
      expect(used.reason.status).toBe(404);
      expect(
        renewed.status === 'fulfilled' && (await accept(codeOf(renewed.value.invitation_url))).user.id,
      ).toBe(user_id);
    }
  }
});

test('of many new links that are asked for at once, one works', async () => {
  const { client, token, user_id } = await invite();
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => client.renewInvitation({ token, user_id })),
  );
  const outcomes = [];
  for (const { invitation_url } of answers)
    outcomes.push(
      await accept(codeOf(invitation_url)).then(
        () => 'in',
        ({ status }) => status,
      ),
    );
  expect(outcomes.filter((one) => one === 'in')).toHaveLength(1);
  expect(outcomes.filter((one) => one === 404)).toHaveLength(4);
});
