import { connect } from '../../server/src/db/knex';
import * as sessions from '../../server/src/db/migrations/20261125224122_add_login_sessions';
import * as factors from '../../server/src/db/migrations/20261125224151_add_second_factors';
import * as addresses from '../../server/src/db/migrations/20261125224152_add_verified_addresses';
import { hashPassword } from '../../server/src/security/password';
import { Tokens } from '../../server/src/security/tokens';
import { cloneDatabase } from '../helpers/database';
import { clientOf, refused } from '../helpers/second-factor';
import { PASSWORD, startServer } from '../helpers/server';

const secret = 'one secret of more than 32 characters';
// A mail server that is never asked: its being configured is what matters.
const variables = { JWT_SECRET: secret, SMTP_URL: 'smtps://127.0.0.1:9', MAIL_FROM: 'avow@avow.example' };

test('an account, its site, its token and what ended its tokens go on after the upgrade, also where mails are sent', async () => {
  const database = await cloneDatabase();
  const db = connect(database.url, 2);
  try {
    for (const one of [addresses, factors, sessions]) await one.down(db);
    const before = new Date(Date.now() - 60_000);
    const email = 'ada@example.com';
    const [{ id }] = await db('users')
      .insert({
        ...{ id: 4_001, email, email_key: email, name: 'Ada', password_hash: await hashPassword(PASSWORD) },
        ...{ tokens_valid_from: before, created_at: before },
      })
      .returning('id');
    const tokens = new Tokens(secret);
    const [going, ended] = [await tokens.issue(id), await tokens.issue(id)];
    await db('ended_sessions').insert({ token_hash: ended.tokenHash, expires_at: ended.expiresAt });
    for (const one of [sessions, factors, addresses]) await one.up(db);
    const server = await startServer({ databaseUrl: database.url, variables });
    try {
      const client = clientOf(server, going.token);
      expect(await client.getMe()).toMatchObject({ email, email_verified: true });
      const { token } = await client.createEnvironment({
        body: { name: 'Shop', domain: 'shop.example.com' },
      });
      expect(await client.getEnvironment({ token })).toMatchObject({ second_factor_required: false });
      expect((await client.listSessions()).items).toMatchObject([{ begun_by: 'older', current: true }]);
      expect((await refused(clientOf(server, ended.token).getMe())).status).toBe(401);
      expect((await server.visitor.login({ body: { email, password: PASSWORD } })).user.id).toBe(id);
    } finally {
      await server.stop();
    }
  } finally {
    await db.destroy();
    await database.drop();
  }
});
