import { randomUUID } from 'node:crypto';
import type { Input } from '@avow/sdk';
import { post } from '../helpers/http/raw';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';
import { bucketsOf, countsOf } from '../helpers/site/counts';

const server = useServer();

const now = () => new Date().toISOString();

test('impressions are counted by language and device, and by nothing of the visitor', async () => {
  const { token } = await server.site({ languages: ['en', 'de'] });
  const phone = { 'User-Agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Mobile/15E148' };
  const session_id = randomUUID();
  await post(
    server.url,
    `/api/impressions/${token}`,
    { session_id, language: 'de', page_url: 'https://x.example/?q' },
    phone,
  );
  await post(server.url, `/api/impressions/${token}`, { language: 'de' }, phone);
  await server.visitor.recordImpression({ token, body: {} });
  await server.visitor.recordImpression({ token, body: { language: 'tlh' } });
  expect(await countsOf(server, token)).toEqual({
    ...{ 'impression de mobile': 2, 'impression en unknown': 1, 'impression other unknown': 1 },
  });
  const { rows } = await server.service.context.db.raw('SELECT daily_counts::text AS row FROM daily_counts');
  expect(JSON.stringify(rows)).not.toContain(session_id);
});

test('a decision is counted with each category that it allows and refuses', async () => {
  const { token } = await server.site();
  const body = { session_id: randomUUID(), decision: 'accept_all' as const, language: 'en' };
  await server.visitor.logConsent({ token, body: { ...body, banner_version: 1 } });
  await server.visitor.logConsent({ token, body: { ...body, decision: 'reject_all' } });
  await server.visitor.savePreferences({
    token,
    body: { session_id: randomUUID(), categories: { analytics: true }, language: 'sv' },
  });
  expect(await countsOf(server, token)).toEqual({
    ...{ 'decision accept_all en unknown': 1, 'decision reject_all en unknown': 1 },
    ...{ 'opted_in en unknown': 1, 'opted_in other unknown': 1 },
    // Those that name no banner.
    ...{ 'untied en unknown': 1, 'untied other unknown': 1 },
    ...{
      'granted functional en unknown': 1,
      'granted analytics en unknown': 1,
      'granted marketing en unknown': 1,
    },
    ...{
      'refused functional en unknown': 1,
      'refused analytics en unknown': 1,
      'refused marketing en unknown': 1,
    },
    ...{ 'decision save_preferences other unknown': 1, 'granted analytics other unknown': 1 },
    ...{ 'refused functional other unknown': 1, 'refused marketing other unknown': 1 },
  });
});

test('interactions are counted by name and category', async () => {
  const { token } = await server.site();
  const events = [
    { name: 'banner_shown' as const, at: now() },
    { name: 'category_toggled' as const, at: now(), category: 'analytics' },
    { name: 'category_toggled' as const, at: now(), category: 'analytics' },
    { name: 'script_blocked' as const, at: now(), category: 'marketing' },
  ];
  const answer = await server.visitor.recordVisitorEvents({
    token,
    body: { session_id: randomUUID(), events },
  });
  expect(answer).toEqual({ accepted: 4 });
  expect(await countsOf(server, token)).toEqual({
    ...{ 'interaction banner_shown en unknown': 1, 'interaction category_toggled:analytics en unknown': 2 },
    ...{ 'interaction script_blocked:marketing en unknown': 1 },
  });
});

test('one wrong interaction refuses the batch, and names it', async () => {
  const { token } = await server.site();
  const events = [
    { name: 'banner_shown', at: now() },
    { name: 'category_toggled', at: now(), category: 'ads' },
  ];
  const body = { session_id: randomUUID(), events } as never;
  const error = await refusal(server.visitor.recordVisitorEvents({ token, body }));
  expect([error.status, pathsOf(error)]).toEqual([400, ['body.events.1.category']]);
  const many = { session_id: randomUUID(), events: Array.from({ length: 101 }, () => events[0]) } as never;
  expect(pathsOf(await refusal(server.visitor.recordVisitorEvents({ token, body: many })))).toEqual([
    'body.events',
  ]);
  expect(await countsOf(server, token)).toEqual({});
});

test('a report that is sent again counts once, also many times at once; another body under its id is refused', async () => {
  const { token } = await server.site();
  const event_id = randomUUID();
  const impression = { event_id, language: 'en' };
  const events = {
    event_id,
    session_id: randomUUID(),
    events: [{ name: 'banner_closed' as const, at: now() }],
  };
  const consent = { event_id, session_id: randomUUID(), decision: 'accept_all' as const };
  const times = Array.from({ length: 10 });
  const consents = await Promise.all(
    times.map(() => server.visitor.recordVisitorConsent({ token, body: consent })),
  );
  await Promise.all(times.map(() => server.visitor.recordImpression({ token, body: impression })));
  await Promise.all(times.map(() => server.visitor.recordVisitorEvents({ token, body: events })));
  expect(new Set(consents.map(({ consent_id }) => consent_id)).size).toBe(1);
  const counts = await countsOf(server, token);
  expect([counts['impression en unknown'], counts['interaction banner_closed en unknown']]).toEqual([1, 1]);
  expect([counts['decision accept_all en unknown'], counts['granted analytics en unknown']]).toEqual([1, 1]);
  for (const call of [
    server.visitor.recordImpression({ token, body: { ...impression, language: 'de' } }),
    server.visitor.recordVisitorEvents({ token, body: { ...events, language: 'de' } }),
    server.visitor.recordVisitorConsent({ token, body: { ...consent, decision: 'reject_all' } }),
  ]) {
    const error = await refusal(call);
    expect([error.status, error.code]).toEqual([409, 'conflict']);
  }
  expect(await countsOf(server, token)).toEqual(counts);
});

test('an event id is the same in either case, and another environment’s is another', async () => {
  const [here, there] = [await server.site(), await server.site()];
  const body = (event_id: string) => ({ event_id });
  const event_id = randomUUID();
  await server.visitor.recordImpression({ token: here.token, body: body(event_id) });
  await server.visitor.recordImpression({ token: there.token, body: body(event_id) });
  expect(await countsOf(server, here.token)).toEqual({ 'impression en unknown': 1 });
  expect(await countsOf(server, there.token)).toEqual({ 'impression en unknown': 1 });
});

test('hundreds at once are all counted', async () => {
  const sites = await Promise.all([server.site(), server.site(), server.site()]);
  await Promise.all(
    sites.flatMap(({ token }) =>
      Array.from({ length: 150 }, () => server.visitor.recordImpression({ token, body: {} })),
    ),
  );
  for (const { token } of sites) {
    expect(await countsOf(server, token)).toEqual({ 'impression en unknown': 150 });
    const { hours } = await bucketsOf(server, token);
    expect(hours.reduce((sum, [, n]) => sum + Number(n), 0)).toBe(150);
  }
});

test('a decision brings those that it follows: each is recorded once, in order, however the reports arrive', async () => {
  const { client, token } = await server.site();
  const session_id = randomUUID();
  const one = (decision: 'accept_all' | 'reject_all') => ({ event_id: randomUUID(), session_id, decision });
  const [first, second, third] = [one('accept_all'), one('reject_all'), one('accept_all')];
  const decisions = async () =>
    (await client.listConsents({ token, session_id })).items.map(({ decision }) => decision);
  const send = (body: Input<'recordVisitorConsent'>['body']) =>
    server.visitor.recordVisitorConsent({ token, body });
  const recorded = await send({ ...second, earlier: [first] });
  expect(await decisions()).toEqual(['reject_all', 'accept_all']);
  // What is sent again, alone or with others, gets the answer of the first time.
  await send(first);
  expect(await send(second)).toEqual(recorded);
  // An older program of the same host sends the time that a newer one keeps with it.
  expect(await send({ at: 1_700_000_000_000, ...second })).toEqual(recorded);
  await send({ at: 1_700_000_000_001, ...third, earlier: [{ at: 1, ...first }, second] });
  expect(await decisions()).toEqual(['accept_all', 'reject_all', 'accept_all']);
  const { decision } = await server.visitor.getPreferences({ token, session_id });
  expect(decision).toBe('accept_all');
});

test('an earlier decision that would be refused alone does not hold up the last', async () => {
  const { client, token } = await server.site();
  const session_id = randomUUID();
  const gone = {
    event_id: randomUUID(),
    session_id,
    decision: 'save_preferences' as const,
  };
  const last = { event_id: randomUUID(), session_id, decision: 'reject_all' as const };
  await server.visitor.recordVisitorConsent({ token, body: { ...last, earlier: [gone] } });
  const { items } = await client.listConsents({ token, session_id });
  expect(items.map(({ decision }) => decision)).toEqual(['reject_all']);
  const nested = { ...last, event_id: randomUUID(), earlier: [{ ...gone, earlier: [] }] };
  const error = await refusal(server.visitor.recordVisitorConsent({ token, body: nested as never }));
  expect([error.status, pathsOf(error)]).toEqual([400, ['body.earlier.0.earlier']]);
});

test('a report is of one session, and stores nothing when its last decision is refused', async () => {
  const { client, token } = await server.site();
  const one = (session_id: string) => ({
    event_id: randomUUID(),
    session_id,
    decision: 'accept_all' as const,
  });
  const [mine, others] = [randomUUID(), randomUUID()];
  const report = async (body: Input<'recordVisitorConsent'>['body']) => {
    const error = await refusal(server.visitor.recordVisitorConsent({ token, body }));
    return [error.status, pathsOf(error)];
  };
  const foreign = { ...one(mine), earlier: [one(mine), one(others)] };
  expect(await report(foreign)).toEqual([400, ['body.earlier.1.session_id']]);
  const silent = { ...one(mine), decision: 'save_preferences' as const };
  expect((await report({ ...silent, earlier: [one(mine)] }))[0]).toBe(400);
  expect((await client.listConsents({ token })).items).toEqual([]);
  // The same session in another case is the same session.
  const same = { ...one(mine), earlier: [one(mine.toUpperCase())] };
  await server.visitor.recordVisitorConsent({ token, body: same });
  expect((await client.listConsents({ token, session_id: mine })).items).toHaveLength(2);
});

test('the compact form means the same as the long one', async () => {
  const { client, token } = await server.site();
  const session_id = randomUUID();
  const context = { language: 'de', page_url: 'https://shop.example.com/a', method: 'settings' as const };
  const body = {
    event_id: randomUUID(),
    session_id,
    decision: 'save_preferences' as const,
    allowed: ['analytics'],
    ...context,
  };
  const { consent_id } = await server.visitor.recordVisitorConsent({ token, body });
  const { items } = await client.listConsents({ token });
  expect(items).toMatchObject([
    {
      consent_id,
      session_id,
      categories: { functional: false, analytics: true, marketing: false },
      ...context,
    },
  ]);
  const unknown = { ...body, event_id: randomUUID(), allowed: ['ads', 'analytics'] };
  // Silence is refusal, and so is a name that was not shown: the banner forgets what is refused.
  const known = await server.visitor.recordVisitorConsent({ token, body: unknown });
  const { categories } = await client.getConsent({ token, consent_id: known.consent_id });
  expect(categories).toEqual({ functional: false, analytics: true, marketing: false });
  const { allowed: _, ...without } = { ...body, event_id: randomUUID() };
  expect((await refusal(server.visitor.recordVisitorConsent({ token, body: without }))).status).toBe(400);
});
