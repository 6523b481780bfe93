import { randomUUID } from 'node:crypto';
import { PROGRAM } from '../helpers/banner/program';
import { useServer } from '../helpers/server';
import { type LinkedSite, linkedSite } from '../helpers/site/linked';
import { ASKED_LIST } from '../helpers/site/vendors';

jest.setTimeout(60_000);
const variables = {
  ...{ TRUST_PROXY: 'loopback', WEBHOOK_ALLOW_HTTP: 'on', WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8' },
};
const server = useServer({ program: PROGRAM, variables });
const db = () => server.service.context.db;
let shared: Promise<LinkedSite> | undefined;
/** The site of all tests that change none. */
const site = (): Promise<LinkedSite> => {
  shared ??= linkedSite(server);
  return shared;
};

/** What every refusal says: it must not tell one reason from another. */
const refused = {
  status: 404,
  json: {
    status: 'error',
    data: { code: 'not_found', errors: [] },
    message: 'This link brings no choice that can be taken here: ask the visitor.',
  },
};
const expectRefused = async (answer: Promise<{ status: number; json: unknown }>) =>
  expect(await answer).toMatchObject(refused);

describe('every reason not to take a choice has the same answer, and uses the link up', () => {
  const reasons: [string, (one: LinkedSite) => Promise<Record<string, unknown>>, Record<string, string>?][] =
    [
      ['it is unknown', async () => ({ link: 'a'.repeat(32) })],
      [
        'it was used',
        async ({ link, decide, take }) => {
          const used = await link((await decide()).session_id);
          await take({ link: used });
          return { link: used };
        },
      ],
      [
        'it is too old',
        async ({ link, decide, id }) => {
          const old = await link((await decide()).session_id);
          const past = new Date(Date.now() - 1);
          await db()('link_tokens').where({ environment_id: id }).update({ expires_at: past });
          return { link: old };
        },
      ],
      [
        'another network brings it',
        async ({ link, decide }) => ({ link: await link((await decide()).session_id) }),
        { 'X-Forwarded-For': '198.51.101.1' },
      ],
      [
        'another browser brings it',
        async ({ link, decide }) => ({ link: await link((await decide()).session_id) }),
        { 'User-Agent': 'Another/1.0' },
      ],
      [
        'the browser that takes it sends Global Privacy Control',
        async ({ link, decide }) => ({ link: await link((await decide()).session_id) }),
        { 'Sec-GPC': '1' },
      ],
      [
        'the choice was withdrawn since',
        async ({ link, decide }) => {
          const { session_id } = await decide();
          const made = await link(session_id);
          await decide({ decision: 'reject_all' }, session_id);
          return { link: made };
        },
      ],
      [
        'the same was decided anew since',
        async ({ link, decide }) => {
          const { session_id } = await decide();
          const made = await link(session_id);
          await decide({}, session_id);
          return { link: made };
        },
      ],
      [
        'the choice has expired',
        async ({ link, decide, id }) => {
          const { session_id } = await decide();
          const made = await link(session_id);
          const past = new Date(Date.now() - 1);
          for (const table of ['consents', 'session_choices'])
            await db()(table).where({ environment_id: id, session_id }).update({ expires_at: past });
          return { link: made };
        },
      ],
      [
        'the session was erased',
        async ({ link, decide, client, token }) => {
          const { session_id } = await decide();
          const made = await link(session_id);
          await client.eraseSession({ token, session_id });
          return { link: made };
        },
      ],
      [
        'the policy has another version',
        async ({ link, decide, change }) => {
          const made = await link((await decide()).session_id);
          return { link: made, bundle_hash: await change({ policy_version: '2' }) };
        },
      ],
      [
        'there is one more category',
        async ({ link, decide, change, client, token }) => {
          const made = await link((await decide()).session_id);
          const { categories } = (await client.getEnvironment({ token })).settings;
          const more = { key: 'social', name: 'Social', description: '', required: false };
          return { link: made, bundle_hash: await change({ categories: [...categories, more] }) };
        },
      ],
      [
        'a category is required there',
        async ({ link, decide, change, client, token }) => {
          const made = await link((await decide()).session_id);
          const { categories } = (await client.getEnvironment({ token })).settings;
          const other = categories.map((one) =>
            one.key === 'functional' ? { ...one, required: true } : one,
          );
          return { link: made, bundle_hash: await change({ categories: other }) };
        },
      ],
      [
        'vendors are asked about there',
        async ({ link, decide, change, client, token }) => {
          const made = await link((await decide()).session_id);
          await client.replaceVendors({ token, body: { vendors: ASKED_LIST } });
          return { link: made, bundle_hash: await change({ choice_by_vendor: true }) };
        },
      ],
      [
        'another rule holds there',
        async ({ link, decide }) => ({
          ...{ link: await link((await decide()).session_id), rule: 'opt_in', region: 'DE' },
        }),
      ],
      [
        'the banner that would ask is none of the site',
        async ({ link, decide }) => ({
          ...{ link: await link((await decide()).session_id), bundle_hash: 'x'.repeat(24) },
        }),
      ],
      [
        'the decision names no banner of the site',
        async ({ link, server: { visitor }, token }) => {
          const body = { session_id: randomUUID(), decision: 'accept_all' as const };
          return { link: await link((await visitor.logConsent({ token, body })).session_id) };
        },
      ],
      [
        'the visitor has a choice of another session there, which was made later',
        async ({ link, decide }) => {
          const { session_id } = await decide();
          const { session_id: own_session_id } = await decide({ decision: 'reject_all' });
          return { link: await link(session_id), own_session_id };
        },
      ],
      [
        'the visitor has a choice of another session there, which was made before',
        async ({ link, decide }) => {
          const { session_id: own_session_id } = await decide({ decision: 'reject_all' });
          return { link: await link((await decide()).session_id), own_session_id };
        },
      ],
      [
        'the visitor has a session there of which nothing is known',
        async ({ link, decide }) => ({
          ...{ link: await link((await decide()).session_id), own_session_id: randomUUID() },
        }),
      ],
    ];

  test.each(reasons)('%s', async (_, begin, headers = {}) => {
    const one = await (begin.toString().includes('change(') ? linkedSite(server) : site());
    await db()('link_tokens').where({ environment_id: one.id }).delete();
    const body = await begin(one);
    const { items } = await one.client.listConsents({ token: one.token });
    const before = items.map(({ consent_id }) => consent_id);
    await expectRefused(one.tryTake(body, headers));
    // And to whom it was given, too.
    await expectRefused(one.tryTake({ ...body, bundle_hash: one.bundle_hash, own_session_id: undefined }));
    const after = (await one.client.listConsents({ token: one.token })).items;
    expect(after.map(({ consent_id }) => consent_id)).toEqual(before);
    expect(await db()('link_tokens').where({ environment_id: one.id })).toEqual([]);
  });
});
