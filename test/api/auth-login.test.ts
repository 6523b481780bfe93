import { randomUUID } from 'node:crypto';
import { post } from '../helpers/http/raw';
import { refusal } from '../helpers/http/refusal';
import { PASSWORD, useServer } from '../helpers/server';

const server = useServer({ variables: { TRUST_PROXY: '1' } });

const LOGIN = '/api/auth/console';
const from = (address: string) => ({ 'X-Forwarded-For': address });

test('a login gives a token that works, and whose it is', async () => {
  const { email, userId } = await server.person('Grace Owner');
  const session = await server.visitor.login({ body: { email, password: PASSWORD } });
  expect(session.user).toEqual({ id: userId, name: 'Grace Owner', email });
  const hours = (Date.parse(session.expires_at) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(11.9);
  expect(hours).toBeLessThanOrEqual(12);
  const me = await post(server.url, '/api/auth/revoke', undefined, {
    Authorization: `Bearer ${session.token}`,
  }).catch((error) => error);
  expect(me.status).toBe(200);
});

test('the address is compared without regard to case', async () => {
  const { email, userId } = await server.person();
  const { user } = await server.visitor.login({ body: { email: email.toUpperCase(), password: PASSWORD } });
  expect(user.id).toBe(userId);
});

test('a wrong password and an unknown address are told apart by nothing in the answer', async () => {
  const { email } = await server.person();
  const headers = { 'X-Request-Id': 'same' };
  const wrong = await post(server.url, LOGIN, { email, password: 'not this one at all' }, headers);
  const unknown = await post(
    server.url,
    LOGIN,
    { email: `${randomUUID()}@example.com`, password: 'not this one at all' },
    headers,
  );
  expect(wrong.status).toBe(401);
  expect(wrong.text).toBe(unknown.text);
  const { date: _1, ...wrongHeaders } = wrong.headers;
  const { date: _2, ...unknownHeaders } = unknown.headers;
  expect(wrongHeaders).toEqual(unknownHeaders);
});

test('somebody who was invited and has no password yet is told apart from nobody either', async () => {
  const { client, token } = await server.site();
  const email = `${randomUUID()}@example.com`;
  await client.addMember({ token, body: { email, role: 'viewer' } });
  const error = await refusal(server.visitor.login({ body: { email, password: PASSWORD } }));
  const unknown = await refusal(
    server.visitor.login({ body: { email: `${randomUUID()}@example.com`, password: PASSWORD } }),
  );
  expect([error.status, error.code, error.errors]).toEqual([unknown.status, unknown.code, unknown.errors]);
});

test('after ten failures even the right password waits, known address or not; another network does not', async () => {
  const { email } = await server.person();
  for (const address of [email, `${randomUUID()}@example.com`]) {
    for (let i = 0; i < 10; i += 1) {
      const { status } = await post(
        server.url,
        LOGIN,
        { email: address, password: 'wrong' },
        from('203.0.113.7'),
      );
      expect(status).toBe(401);
    }
    const limited = await post(
      server.url,
      LOGIN,
      { email: address, password: PASSWORD },
      from('203.0.113.7'),
    );
    expect([limited.status, limited.json.data.code]).toEqual([429, 'rate_limited']);
    const wait = Number(limited.headers['retry-after']);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(900);
  }
  const elsewhere = await post(server.url, LOGIN, { email, password: PASSWORD }, from('203.0.113.8'));
  expect(elsewhere.status).toBe(200);
  const { rows } = await server.service.context.db.raw('SELECT * FROM login_failures');
  expect(JSON.stringify(rows)).not.toContain('203.0.113');
});

test('many guesses at once do not slip through', async () => {
  const { email } = await server.person();
  const guesses = Array.from({ length: 25 }, () =>
    post(server.url, LOGIN, { email, password: 'wrong' }, from('198.51.100.1')),
  );
  const statuses = (await Promise.all(guesses)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(10);
  expect(statuses.filter((status) => status === 429)).toHaveLength(15);
});

test('a success ends the count of failures', async () => {
  const { email } = await server.person();
  for (let round = 0; round < 2; round += 1) {
    for (let i = 0; i < 6; i += 1)
      expect((await post(server.url, LOGIN, { email, password: 'wrong' }, from('192.0.2.9'))).status).toBe(
        401,
      );
    expect((await post(server.url, LOGIN, { email, password: PASSWORD }, from('192.0.2.9'))).status).toBe(
      200,
    );
  }
});

test('failures are forgotten when their quarter of an hour is over', async () => {
  const { email } = await server.person();
  const guess = () => post(server.url, LOGIN, { email, password: PASSWORD }, from('192.0.2.10'));
  for (let i = 0; i < 11; i += 1)
    await post(server.url, LOGIN, { email, password: 'wrong' }, from('192.0.2.10'));
  expect((await guess()).status).toBe(429);
  await server.service.context.db('login_failures').update({ window_end: new Date(Date.now() - 1) });
  expect((await guess()).status).toBe(200);
});

test('a common password is refused where one is chosen, with words that say what to do', async () => {
  const { client, email } = await server.person();
  for (const new_password of ['Password1234!', 'aaaaaaaaaaaa', email.split('@', 1)[0] as string]) {
    const error = await refusal(
      client.changePassword({ body: { current_password: PASSWORD, new_password } }),
    );
    expect([error.status, error.errors[0]?.path, error.errors[0]?.code]).toEqual([
      400,
      'body.new_password',
      'common_password',
    ]);
  }
  const { client: owner, token } = await server.site();
  const body = { email: `${randomUUID()}@example.com`, role: 'viewer' as const };
  const { invitation_url } = await owner.addMember({ token, body });
  const code = invitation_url?.split('#')[1] as string;
  const refused = await refusal(
    server.visitor.acceptInvitation({ body: { code, password: 'qwertyuiop123' } }),
  );
  expect([refused.status, refused.errors[0]?.path]).toEqual([400, 'body.password']);
  await server.visitor.acceptInvitation({ body: { code, password: PASSWORD } });
});
