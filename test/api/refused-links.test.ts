import { randomUUID } from 'node:crypto';
import { expectRefused, type LinkedSite, linkedSite, useLinkedSite } from '../helpers/site/linked';
import { ASKED_LIST } from '../helpers/site/vendors';

jest.setTimeout(60_000);
const { server, db, site } = useLinkedSite();

/** A choice that the browser has on the other domain. */
const ownOf = (session_id: string, allows = false) => ({
  session_id,
  categories: { functional: allows, analytics: allows, marketing: false },
});

/** A decision of the shop, recorded so many seconds ago. */
async function decidedBefore({ decide, id }: LinkedSite, seconds: number) {
  const record = await decide();
  const recorded_at = new Date(Date.now() - seconds * 1000);
  await db()('session_choices')
    .where({ environment_id: id, session_id: record.session_id })
    .update({ recorded_at, waited: null });
  return record;
}

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
        'it was made on a page without TLS',
        async ({ tryLink, decide }) => {
          const { session_id } = await decide();
          const made = await tryLink(session_id, { Origin: 'http://shop.example.com' });
          return { link: made.json.data.link };
        },
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
        'the visitor decided there by hand, in another session',
        async ({ link, decide }) => {
          const { session_id } = await decide({ decision: 'reject_all' });
          return { link: await link(session_id), own: ownOf(randomUUID(), true) };
        },
      ],
      [
        'the visitor allowed less there by hand, in the same session',
        async ({ link, decide }) => {
          const { session_id } = await decide();
          return { link: await link(session_id), own: ownOf(session_id, true) };
        },
      ],
      ...(
        [
          ['that a link of the session brought', true, true],
          ['that a link of another session brought', true, false],
          ['that was made by hand in the session', false, true],
          ['that was made by hand in another session', false, false],
        ] as const
      ).map(([which, from_link, isSame]): (typeof reasons)[number] => [
        `a choice there ${which} and is not in force allows less`,
        async ({ link, decide }) => {
          const { session_id } = await decide();
          const own = ownOf(isSame ? session_id : randomUUID(), true);
          return { link: await link(session_id), own: { ...own, from_link, in_force: false } };
        },
      ]),
      [
        'a link of another session brought less there',
        async ({ link, decide }) => {
          const { session_id } = await decide();
          return { link: await link(session_id), own: { ...ownOf(randomUUID(), true), from_link: true } };
        },
      ],
      [
        'consent lasts for less time by now',
        async (one) => {
          const { session_id } = await decidedBefore(one, 31 * 86_400);
          const made = await one.link(session_id);
          return { link: made, bundle_hash: await one.change({ consent_lifetime_days: 30 }) };
        },
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
    await expectRefused(one.tryTake({ ...body, bundle_hash: one.bundle_hash, own: undefined }));
    const after = (await one.client.listConsents({ token: one.token })).items;
    expect(after.map(({ consent_id }) => consent_id)).toEqual(before);
    expect(await db()('link_tokens').where({ environment_id: one.id })).toEqual([]);
  });
});
