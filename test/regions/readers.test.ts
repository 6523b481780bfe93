import { randomUUID } from 'node:crypto';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';
import { until } from '../helpers/until';
import { INWARD, startReceiver } from '../helpers/webhooks/receiver';

// Whoever reads what is on can tell a consent from what a rule left on.
jest.setTimeout(60_000);
const server = useServer({ variables: INWARD });
const ON = { regions: { rules: 'law' } } as const;
const CALIFORNIA = { region: 'US-CA', rule: 'opt_out' } as const;
const MADE_UP = 'ab'.repeat(32);

const kindsOf = (session_id: string) =>
  server.service.context.db('session_choices').where({ session_id }).whereNotNull('kind');

test('preferences say where and by which rule a choice was made, in texts and by its word', async () => {
  const { token } = await server.site(ON);
  const read = async (place: object) => {
    const session_id = randomUUID();
    const body = { session_id, decision: 'accept_all' as const, ...place };
    await server.visitor.logConsent({ token, body });
    const { categories, region, rule } = await server.visitor.getPreferences({ token, session_id });
    expect(categories.analytics).toBe(true);
    return { session_id, region, rule };
  };
  for (const [place, told] of [
    [CALIFORNIA, CALIFORNIA],
    [
      { region: 'DE', rule: 'opt_in' },
      { region: 'DE', rule: 'opt_in' },
    ],
    [{ rule: 'opt_in' }, { region: null, rule: 'opt_in' }],
    [{ region: 'JP' }, { region: 'JP', rule: null }],
    [{}, { region: null, rule: null }],
  ] as const) {
    const { session_id, ...first } = await read(place);
    expect(first).toEqual(told);
    // The first of its kind holds its texts; later ones name a word.
    expect(await kindsOf(session_id)).toEqual([]);
    await until('a choice that names a word', async () => {
      const { session_id: later, ...said } = await read(place);
      expect(said).toEqual(told);
      return (await kindsOf(later)).length === 1;
    });
  }
});

test('preferences have the rule of the latest choice, whatever was before', async () => {
  const { token } = await server.site(ON);
  const session_id = randomUUID();
  const save = (place: object) =>
    server.visitor.savePreferences({
      token,
      body: { session_id, categories: { analytics: true }, ...place },
    });
  const ruleNow = async () => (await server.visitor.getPreferences({ token, session_id })).rule;
  await save(CALIFORNIA);
  expect(await ruleNow()).toBe('opt_out');
  await save({ region: 'DE', rule: 'opt_in' });
  expect(await ruleNow()).toBe('opt_in');
  await save({});
  expect(await ruleNow()).toBe(null);
});

test('events of decisions have region and rule only where they are known', async () => {
  const receiver = await startReceiver();
  try {
    const { client, token } = await server.site(ON);
    const { webhook_id } = await client.createWebhook({ token, body: { url: receiver.url, events: '*' } });
    const decide = (place: object) =>
      server.visitor.logConsent({
        token,
        body: { session_id: randomUUID(), decision: 'accept_all', ...place },
      });
    await decide(CALIFORNIA);
    await decide({ rule: 'opt_in' });
    await decide({});
    const sent = (await receiver.until(3)).map(({ body }) => JSON.parse(body).data);
    // Without the site's rules a payload is the same as ever.
    const keys = ['session_id', 'ip_masked', 'categories'];
    expect(sent.map((data) => Object.keys(data)).sort((a, b) => a.length - b.length)).toEqual([
      keys,
      [...keys, 'rule'],
      [...keys, 'region', 'rule'],
    ]);
    expect(sent).toContainEqual(expect.objectContaining(CALIFORNIA));
    const { items } = await client.listEvents({ token });
    expect(items.map(({ payload }) => ('data' in payload ? payload.data.rule : ''))).toEqual([
      'opt_out',
      'opt_in',
      undefined,
    ]);
    await client.testWebhook({ token, webhook_id, body: { event: 'consent.accept_all' } });
    const test = (await receiver.until(4)).at(-1);
    expect(JSON.parse(test?.body ?? '').data).toMatchObject(CALIFORNIA);
  } finally {
    await receiver.stop();
  }
});

test('a bundle that was never made lets no program state a rule that is laxer than the site’s', async () => {
  const { client, token } = await server.site(ON);
  const { hash } = await client.generateBundle({ token });
  const lax = { region: 'DE', rule: 'notice' } as const;
  const ways = (more: object) => {
    const session_id = randomUUID();
    const visitor = { address: '203.0.113.9' };
    return [
      () =>
        server.visitor.logConsent({ token, body: { session_id, decision: 'accept_all', ...lax, ...more } }),
      () => server.visitor.savePreferences({ token, body: { session_id, categories: {}, ...lax, ...more } }),
      () =>
        client.logConsentForVisitor({
          token,
          body: { session_id, decision: 'accept_all', visitor, ...lax, ...more },
        }),
    ];
  };
  for (const way of ways({ bundle_hash: MADE_UP })) {
    const error = await refusal(way());
    expect([error.status, pathsOf(error), error.errors[0]?.code]).toEqual([
      400,
      ['body.rule'],
      'region_rule',
    ]);
  }
  for (const way of ways({ bundle_hash: MADE_UP, ...CALIFORNIA }))
    expect(await way()).toMatchObject(CALIFORNIA);
  // A bundle of the site has rules of its own, which its proof compares.
  for (const way of ways({ bundle_hash: hash })) {
    const { consent_id } = await way();
    expect((await client.getConsent({ token, consent_id })).matches_rule).toBe(false);
  }
});

test('a proof judges each rule: by the bundle, or else by the settings that were shown', async () => {
  const { client, token } = await server.site(ON);
  const { hash } = await client.generateBundle({ token });
  const judged = async (bundle_hash: string | undefined, place: object) => {
    const { consent_id } = await server.visitor.recordVisitorConsent({
      token,
      body: {
        ...{ event_id: randomUUID(), session_id: randomUUID(), decision: 'accept_all' },
        ...(bundle_hash && { bundle_hash }),
        ...place,
      },
    });
    const { matches_rule, shown_bundle } = await client.getConsent({ token, consent_id });
    if (shown_bundle !== null) expect(shown_bundle.matches_rule).toBe(matches_rule);
    return matches_rule;
  };
  for (const named of [MADE_UP, undefined]) {
    expect(await judged(named, { region: 'DE', rule: 'notice' })).toBe(false);
    expect(await judged(named, { rule: 'opt_out' })).toBe(false);
    expect(await judged(named, CALIFORNIA)).toBe(true);
    expect(await judged(named, { region: 'US-CA', rule: 'opt_in' })).toBe(true);
    expect(await judged(named, {})).toBe(null);
  }
  expect(await judged(hash, CALIFORNIA)).toBe(true);
  // The settings of then, not those of now.
  const { consent_id } = await server.visitor.logConsent({
    token,
    body: { session_id: randomUUID(), decision: 'reject_all', ...CALIFORNIA },
  });
  await client.updateEnvironment({ token, body: { settings: { regions: null, policy_version: '2' } } });
  expect((await client.getConsent({ token, consent_id })).matches_rule).toBe(true);
});
