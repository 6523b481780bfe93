import { MailRow } from '../../server/src/db/models';
import { tellMembers } from '../../server/src/jobs/notices';
import { type MailContent, openContent, withSecrets } from '../../server/src/mail/content';
import { notedFor } from '../helpers/mail/notices';
import { addApp } from '../helpers/second-factor';
import { startServer, type TestServer } from '../helpers/server';
import { startProvider, type TestProvider } from '../helpers/sign-on/provider';
import { comeBack, linkTo, signOn } from '../helpers/sign-on/walk';

jest.setTimeout(120_000);

const MAIL = { SMTP_URL: 'smtps://127.0.0.1:9', MAIL_FROM: 'avow@avow.example' };

let acme: TestProvider;
let server: TestServer;
let shop: Awaited<ReturnType<TestServer['site']>>;

const context = () => server.service.context;

beforeAll(async () => {
  acme = await startProvider();
  server = await startServer({
    variables: { ...MAIL, ROLE: 'api', OIDC_PROVIDERS: 'acme', ...acme.variables('acme') },
  });
  context().config.publicUrl = server.url;
  await acme.register('acme', server);
  shop = await server.site();
  const access = [
    { group: 'staff', grant: null },
    ...(['owner', 'operator'] as const).map((role) => ({
      group: `${role}s`,
      grant: { role, site: shop.token },
    })),
  ];
  for (const { provider } of context().providers.values()) Object.assign(provider, { access });
});
afterAll(async () => {
  await server?.stop();
  await acme?.stop();
});

const tell = (): Promise<void> => tellMembers(context(), new Date());
/** What owners of a site have been told of members and keys since it was asked last. */
async function told(person: { userId: number }): Promise<string[]> {
  await tell();
  const noted = await notedFor(server, person);
  await context().db('notices').where({ user_id: person.userId }).update({ topic: 'webhook_failing' });
  return noted.filter(({ topic }) => topic === 'members_and_keys').map(({ message }) => message);
}

test('owners are told when a log-in by a provider gives or takes a role, and not of one that does neither', async () => {
  const login = 'ida';
  const enter = async (...groups: string[]) => {
    await acme.people({ [login]: { email: 'ida@example.com', email_verified: true, name: login, groups } });
    return signOn(server.visitor, login);
  };
  const { user } = await enter('operators');
  const words = (role: string) => [
    `A log-in by a provider gave a member the role ${role}; the audit trail says by whom.`,
  ];
  expect(await told(shop)).toEqual(words('operator'));
  await enter('operators');
  expect(await told(shop)).toEqual([]);
  await enter('owners');
  expect(await told(shop)).toEqual(words('owner'));
  // Whoever became an owner by it knows as well; of joining nobody is told themselves.
  expect(await told({ userId: user.id })).toEqual(words('owner'));
  await enter('staff');
  expect(await told(shop)).toEqual([
    'A log-in by a provider ended the role of a member; the audit trail says by whom.',
  ]);
});

test('what waits for an owner whose groups make them less goes to them no more', async () => {
  const enter = async (...groups: string[]) => {
    await acme.people({ noa: { email: 'noa@example.com', email_verified: true, name: 'noa', groups } });
    return signOn(server.visitor, 'noa');
  };
  const { user } = await enter('owners');
  await shop.client.addMember({ token: shop.token, body: { email: 'new@example.com', role: 'viewer' } });
  await tell();
  const states = async () =>
    (await context().db('mails').where({ user_id: user.id, audience: 'member' })).map(({ state }) => state);
  expect(await states()).toEqual(['pending']);
  await enter('operators');
  expect(await states()).toEqual(['withheld']);
});

test('owners are told when an unlinked provider ends a role, and not when it ends none', async () => {
  const { client, email } = await server.person();
  const groups = ['owners'];
  await acme.people({ kim: { email, email_verified: true, name: 'kim', groups } });
  await linkTo(client, 'kim');
  await signOn(server.visitor, 'kim');
  await told(shop);
  const unlink = async () => {
    const { identities } = await client.listIdentities();
    await client.unlinkIdentity({ identity_id: identities[0]?.identity_id as string });
  };
  await unlink();
  expect(await told(shop)).toEqual([
    'A member gave up a role by unlinking a provider account; the audit trail says by whom.',
  ]);
  await linkTo(client, 'kim');
  await unlink();
  expect(await told(shop)).toEqual([]);
});

test('owners are told when the rule for second factors changes', async () => {
  const site = await server.site();
  const { client } = await addApp(server, site.client);
  for (const required of [true, true, false])
    await client.setSecondFactorRule({ token: site.token, body: { required } });
  const words = 'The rule that members need a second factor was changed; the audit trail says by whom.';
  expect(await told(site)).toEqual([words, words]);
});

test('a new device that came by a provider is no reason for a new password', async () => {
  const email = 'lee@example.com';
  await acme.people({ lee: { email, email_verified: true, name: 'lee', groups: ['staff'] } });
  for (const agent of ['(X11; Linux x86_64)', '(Windows NT 10.0)']) {
    const body = await comeBack(server.visitor.beginSignOn, 'lee');
    const headers = { 'User-Agent': `Mozilla/5.0 ${agent} Firefox/140.0` };
    await server.visitor.finishSignOn({ body }, { headers });
  }
  const { db, vault } = context();
  const { id } = await db('users').where({ email }).first('id');
  const row = await MailRow.query(db).findOne({ user_id: id, kind: 'new_device' });
  const { text } = withSecrets(openContent(vault, row as MailRow) as MailContent);
  expect(text).toContain('secure your account at the provider by which you log in, and end all sessions');
  expect(text).not.toContain('password');
});
