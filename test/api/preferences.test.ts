import { randomUUID } from 'node:crypto';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';
import { eventually } from '../helpers/until';

const server = useServer();

const category = (key: string, required = false) => ({ key, name: key, description: '', required });
const ask = (token: string, session_id: string) => server.visitor.getPreferences({ token, session_id });
const save = (token: string, session_id: string, categories: Record<string, boolean>) =>
  server.visitor.savePreferences({ token, body: { session_id, categories } });
const reasonOf = async (token: string, session_id: string, reason: string) => {
  const answer = await eventually(
    () => ask(token, session_id),
    (preferences) => preferences.reason === reason,
  );
  expect(answer.reconsent_required).toBe(reason !== 'none');
  return answer;
};

test('a session without a choice must be asked, and everything is refused until then', async () => {
  const { client, token } = await server.site();
  const session_id = randomUUID();
  const { settings } = await client.getEnvironment({ token });
  expect(await ask(token, session_id)).toEqual({
    ...{
      session_id,
      decision: null,
      categories: {},
      policy_version: null,
      region: null,
      rule: null,
      recorded_at: null,
      expires_at: null,
    },
    ...{ reconsent_required: true, reason: 'no_choice' },
    environment: { categories: settings.categories, policy_version: '1', languages: ['en'] },
  });
});

test('a saved choice is a decision by category, and is read back at once', async () => {
  const { client, token } = await server.site();
  const session_id = randomUUID();
  const record = await save(token, session_id, { analytics: true });
  expect(record).toMatchObject({
    decision: 'save_preferences',
    categories: { functional: false, analytics: true, marketing: false },
  });
  const { recorded_at, expires_at, categories } = record;
  expect(await ask(token, session_id)).toMatchObject({
    ...{ decision: 'save_preferences', categories, recorded_at, expires_at, policy_version: '1' },
    ...{ reconsent_required: false, reason: 'none' },
  });
  expect((await client.listConsents({ token })).items).toEqual([record]);
});

test('whoever has written reads their own write, however many do at once', async () => {
  const { token } = await server.site();
  await Promise.all(
    Array.from({ length: 60 }, async (_, i) => {
      const session_id = randomUUID();
      for (const analytics of [true, false, i % 2 === 0]) {
        await save(token, session_id, { analytics });
        expect((await ask(token, session_id)).categories.analytics).toBe(analytics);
      }
    }),
  );
});

test('an expired choice must be made again', async () => {
  const { token } = await server.site();
  const session_id = randomUUID();
  await save(token, session_id, { analytics: true });
  await server.service.context
    .db('session_choices')
    .where({ session_id })
    .update({ expires_at: new Date(Date.now() - 1) });
  await reasonOf(token, session_id, 'expired');
  await save(token, session_id, { analytics: true });
  await reasonOf(token, session_id, 'none');
});

test('a new policy version must be agreed to again', async () => {
  const { client, token } = await server.site();
  const session_id = randomUUID();
  await save(token, session_id, { analytics: true });
  await client.updateEnvironment({ token, body: { settings: { policy_version: '2026-11' } } });
  const { policy_version, environment, categories } = await reasonOf(token, session_id, 'policy_changed');
  expect([policy_version, environment.policy_version, categories.analytics]).toEqual(['1', '2026-11', true]);
});

test('a new category must be asked for; a new required one, or one that is gone, need not', async () => {
  const { client, token } = await server.site({
    categories: [category('base', true), category('ads'), category('maps')],
  });
  const session_id = randomUUID();
  await save(token, session_id, { ads: true });
  const change = (...categories: ReturnType<typeof category>[]) =>
    client.updateEnvironment({ token, body: { settings: { categories } } });
  const shown = (n: number) =>
    eventually(
      () => ask(token, session_id),
      ({ environment }) => environment.categories.length === n,
    );
  await change(category('base', true), category('ads'), category('maps'), category('law', true));
  expect((await shown(4)).reason).toBe('none');
  await change(category('ads'), category('base', true));
  expect((await shown(2)).reason).toBe('none');
  await change(category('base', true), category('ads'), category('video'));
  await reasonOf(token, session_id, 'new_categories');
});

test('of several reasons the gravest is named', async () => {
  const { client, token } = await server.site();
  const session_id = randomUUID();
  await save(token, session_id, {});
  const settings = { policy_version: '2', categories: [category('video')] };
  await client.updateEnvironment({ token, body: { settings } });
  await reasonOf(token, session_id, 'policy_changed');
  await server.service.context
    .db('session_choices')
    .where({ session_id })
    .update({ expires_at: new Date(Date.now() - 1) });
  await reasonOf(token, session_id, 'expired');
});

test('the latest decision counts, whichever operation made it', async () => {
  const { token } = await server.site();
  const session_id = randomUUID();
  await save(token, session_id, { analytics: true });
  await server.visitor.logConsent({ token, body: { session_id, decision: 'reject_all' } });
  expect(await ask(token, session_id)).toMatchObject({
    decision: 'reject_all',
    categories: { analytics: false },
  });
  const body = { event_id: randomUUID(), session_id, decision: 'accept_all' as const };
  await server.visitor.recordVisitorConsent({ token, body });
  expect((await ask(token, session_id)).decision).toBe('accept_all');
});

test('one session’s choice is nobody else’s, in another environment neither', async () => {
  const [here, there] = [await server.site(), await server.site()];
  const session_id = randomUUID();
  await save(here.token, session_id, { analytics: true });
  expect((await ask(there.token, session_id)).reason).toBe('no_choice');
  expect((await ask(here.token, randomUUID())).reason).toBe('no_choice');
});

test('what is missing or unknown is refused by name', async () => {
  const { token } = await server.site();
  const none = await refusal(server.visitor.getPreferences({ token } as never));
  expect([none.status, pathsOf(none)]).toEqual([400, ['query.session_id']]);
  const bad = await refusal(save(token, randomUUID(), { ads: true, video: false }));
  expect(pathsOf(bad)).toEqual(['body.categories.ads', 'body.categories.video']);
  const half = await refusal(
    server.visitor.savePreferences({ token, body: { session_id: randomUUID() } } as never),
  );
  expect(pathsOf(half)).toEqual(['body.categories']);
});
