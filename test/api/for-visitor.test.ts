import { randomUUID } from 'node:crypto';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';

const server = useServer({ variables: { ROLE: 'api' } });

const VISITOR = { address: '203.0.113.9', user_agent: 'ExampleApp/3.1 (iPhone; iOS 19.1)', gpc: true };
const FORM = {
  form_id: 'newsletter',
  form_url: 'https://shop.example.com/newsletter?utm=1',
  subject: { email: 'visitor@example.com' },
  statements: [{ key: 'news', text: 'Send me news.', accepted: true }],
};
const decided = () => ({ session_id: randomUUID(), decision: 'accept_all' as const });

test("a program's decision is stored with its visitor's address and agent, masked like a visitor's own", async () => {
  const { client, token } = await server.site();
  const record = await client.logConsentForVisitor({ token, body: { ...decided(), visitor: VISITOR } });
  expect(record).toMatchObject({
    ip_masked: '203.0.***.***',
    user_agent: VISITOR.user_agent,
    gpc: true,
    method: 'api',
    recorded_by: 'owner',
  });
  const { items } = await client.listConsents({ token });
  expect(items).toEqual([record]);
  const six = { address: '2001:db8:85a3::8a2e:370:7334' };
  const bare = await client.logConsentForVisitor({ token, body: { ...decided(), visitor: six } });
  expect(bare).toMatchObject({
    ip_masked: '2001:db8:85a3:****:****:****:****:****',
    user_agent: null,
    gpc: false,
  });
  // It is the session's choice, and it is counted, as if the visitor had sent it.
  const { session_id } = record;
  expect(await server.visitor.getPreferences({ token, session_id })).toMatchObject({
    decision: 'accept_all',
  });
  const { totals } = await client.getAnalytics({ token });
  expect(totals).toMatchObject({ decisions: 2, accept_all: 2 });
  const raw = await server.service.context.db('consents').where({ session_id }).first();
  expect(JSON.stringify(raw)).not.toContain(VISITOR.address);
});

test('a page that says it is a program is told from one, in the proof and in the files', async () => {
  const { client, token } = await server.site();
  const claim = await server.visitor.logConsent({ token, body: { ...decided(), method: 'api' } });
  const own = await client.logConsentForVisitor({ token, body: { ...decided(), visitor: VISITOR } });
  const { consent_id } = claim;
  expect([claim.recorded_by, own.recorded_by]).toEqual(['visitor', 'owner']);
  expect((await client.getConsent({ token, consent_id })).recorded_by).toBe('visitor');
  const { items } = await client.listConsents({ token });
  expect(items.map(({ method, recorded_by }) => [method, recorded_by])).toEqual([
    ['api', 'owner'],
    ['api', 'visitor'],
  ]);
});

test("a form's consent likewise", async () => {
  const { client, token } = await server.site();
  const { form_consent_id } = await client.recordFormConsentForVisitor({
    token,
    body: { ...FORM, visitor: VISITOR },
  });
  const { items } = await client.listFormConsents({ token });
  expect(items).toEqual([
    expect.objectContaining({
      form_consent_id,
      recorded_by: 'owner',
      ip_masked: '203.0.***.***',
      form_url: 'https://shop.example.com/newsletter',
    }),
  ]);
});

test('a repetition with the same key is recorded once', async () => {
  const { client, token } = await server.site();
  const body = { ...decided(), visitor: VISITOR };
  const twice = [1, 2].map(() =>
    client.logConsentForVisitor({ token, body }, { headers: { 'Idempotency-Key': 'once' } } as never),
  );
  const [first, second] = await Promise.all(twice);
  expect(second?.consent_id).toBe(first?.consent_id);
  expect((await client.listConsents({ token })).items).toHaveLength(1);
});

test.each(['203.0.113', '1.2.3.4.5', '::g', '203.0.113.999', 'localhost'])(
  '%s is no address',
  async (address) => {
    const { client, token } = await server.site();
    const refused = await refusal(
      client.logConsentForVisitor({ token, body: { ...decided(), visitor: { address } } }),
    );
    expect([refused.status, pathsOf(refused)]).toEqual([400, ['body.visitor.address']]);
  },
);

test('who may not decide for visitors is refused: nobody, a viewer, a member of another site', async () => {
  const { client, token } = await server.site();
  const stranger = await server.site();
  const body = { ...decided(), visitor: VISITOR };
  const status = async (one: typeof client): Promise<number> =>
    (await refusal(one.logConsentForVisitor({ token, body }))).status;
  expect(await status(server.visitor)).toBe(401);
  expect(await status(stranger.client)).toBe(404);
  const { environment_id } = await server.service.context
    .db('environments')
    .where({ token })
    .first('id as environment_id');
  const viewer = await server.person();
  await server.service.context
    .db('members')
    .insert({ environment_id, user_id: viewer.userId, role: 'viewer', added_at: new Date() });
  expect(await status(viewer.client)).toBe(403);
  expect((await client.listConsents({ token })).items).toEqual([]);
});

test.each(['paused', 'archived'] as const)(
  'a site that is %s takes none, and says what to do',
  async (status) => {
    const { client, token } = await server.site();
    await client.updateEnvironment({ token, body: { status } });
    const refused = [
      await refusal(client.logConsentForVisitor({ token, body: { ...decided(), visitor: VISITOR } })),
      await refusal(client.recordFormConsentForVisitor({ token, body: { ...FORM, visitor: VISITOR } })),
    ];
    for (const { status: code, message } of refused)
      expect([code, message]).toEqual([
        403,
        expect.stringContaining(`This environment is ${status}: its owner can set its status to active.`),
      ]);
    expect((await client.listConsents({ token })).items).toEqual([]);
    expect((await client.listFormConsents({ token })).items).toEqual([]);
  },
);
