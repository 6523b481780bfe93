/** @jest-environment node */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { claimsOf } from '../../server/src/db/domain-proofs';
import { itIs } from '../helpers/at-time';
import { notOnCluster } from '../helpers/cluster/skip';
import { raw } from '../helpers/http/raw';
import { useServer } from '../helpers/server';
import { prove } from '../helpers/site/proofs';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const server = useServer({ variables: { ROLE: 'api' } });
afterEach(() => jest.useRealTimers());

async function site(domain: string, domains: string[] = [], time_zone = 'UTC', proven = true) {
  const { client } = await server.person();
  const body = { name: 'Secret name', domain, domains, settings: { time_zone } };
  const { token, domains: all } = await client.createEnvironment({ body });
  if (proven) await prove(server, token, all);
  return { client, token };
}
const verify = (domain: string) => server.visitor.verifyDomain({ domain });
const UNKNOWN = { verified: false, claim: 'none', consent_active: false };

test.each([
  ['letter case', 'case.example', 'CaSe.Example'],
  ['a final dot', 'dot.example', 'dot.example.'],
  ['an international name', 'bücher.example', 'BÜCHER.example'],
  ['its A-label', 'straße.example', 'xn--strae-oqa.example'],
  ['a decomposed letter', 'café.example', 'cafe\u0301.example'],
  ['an ideographic dot', '例え.example', '例え。example。'],
  ['a further domain', 'main.example', 'other.example'],
  ['www for its domain', 'plain.example', 'www.plain.example'],
  ['a registered www', 'www.only.example', 'www.only.example'],
])('a registered domain is found by %s', async (_, domain, asked) => {
  const { token } = await site(domain, ['other.example']);
  const found = await verify(asked);
  expect(found).toMatchObject({
    verified: true,
    environment_token: token,
    consent_active: false,
    last_seen_at: null,
  });
  expect(found.domain).toMatch(/^[a-z0-9.-]+[a-z]$/);
  expect(found.domain.startsWith('xn--') || !/[^\x20-\x7f]/.test(domain)).toBe(true);
});

const onPlain = notOnCluster('which parts of a row are read cannot be counted there');
onPlain('of sites that claim a domain without proof no settings are read, which may be large', async () => {
  const { db } = server.service.context;
  const { client, token } = await site('heavy.example', [], 'UTC', false);
  // What is packed well stays in its row.
  const security_measures = Array.from({ length: 100 }, () => randomBytes(110).toString('base64'));
  await client.updateEnvironment({ token, body: { settings: { security_measures } } });
  // Counted by the connection, which may have read others before.
  const partsRead = async (trx: Knex): Promise<number> => {
    const { rows } = await trx.raw(
      `SELECT coalesce(seq_scan, 0) + coalesce(idx_scan, 0) AS n FROM pg_stat_xact_all_tables
       WHERE relid = (SELECT reltoastrelid FROM pg_class WHERE oid = 'environments'::regclass)`,
    );
    return Number(rows[0].n);
  };
  const readParts = () =>
    db.transaction(async (trx) => {
      const before = await partsRead(trx);
      const claims = await claimsOf(trx, ['heavy.example'], new Date(), 20);
      return { proven: claims.map(({ proven }) => proven), parts: (await partsRead(trx)) - before };
    });
  expect(await readParts()).toEqual({ proven: [false], parts: 0 });
  await prove(server, token, ['heavy.example']);
  expect((await readParts()).parts).toBeGreaterThan(0);
});

test('neither a subdomain nor the domain above is registered with a domain', async () => {
  await site('shop.above.example');
  for (const domain of [
    'above.example',
    'a.shop.above.example',
    'hop.above.example',
    'shop.above.example.org',
  ])
    expect(await verify(domain)).toEqual({ ...UNKNOWN, domain });
  await site('www.strict.example');
  expect(await verify('strict.example')).toEqual({ ...UNKNOWN, domain: 'strict.example' });
});

describe('a banner is alive for seven days', () => {
  const now = Date.parse('2026-11-18T15:20:00.000Z');
  const show = async (token: string, at: number) => {
    itIs(at);
    await server.visitor.recordImpression({ token, body: {} });
  };

  test.each([
    ['just now', 0, true],
    ['six days and 23 hours ago', 7 * DAY - HOUR, true],
    ['eight days ago', 8 * DAY, false],
    ['seven days and an hour ago', 7 * DAY + HOUR, false],
  ])('shown %s', async (name, age, alive) => {
    const domain = `alive-${name.replaceAll(' ', '-')}.example`;
    const { token } = await site(domain, [], 'Asia/Kolkata');
    await show(token, now - age);
    itIs(now);
    const { consent_active, last_seen_at } = await verify(domain);
    expect(consent_active).toBe(alive);
    if (!alive) expect(last_seen_at).toBeNull();
    // The day begins at 18:30 UTC of the day before; nothing finer is told.
    else expect(last_seen_at).toMatch(/T18:30:00\.000Z$/);
  });

  test('a decision keeps it alive, an interaction alone does not', async () => {
    const { token } = await site('events.example');
    itIs(now);
    const at = new Date(now).toISOString();
    const events = [{ name: 'settings_opened' as const, at }];
    await server.visitor.recordVisitorEvents({ token, body: { session_id: randomUUID(), events } });
    expect(await verify('events.example')).toMatchObject({ verified: true, consent_active: false });
    await server.visitor.logConsent({ token, body: { session_id: randomUUID(), decision: 'reject_all' } });
    expect(await verify('events.example')).toMatchObject({
      consent_active: true,
      last_seen_at: '2026-11-18T00:00:00.000Z',
    });
  });

  test('where two sites have a domain, the one that visitors meet is told', async () => {
    const old = await site('twice.example');
    const silent = await site('twice.example');
    expect((await verify('twice.example')).environment_token).toBe(silent.token);
    await show(old.token, now);
    expect(await verify('twice.example')).toMatchObject({
      environment_token: old.token,
      consent_active: true,
    });
  });
});

describe('a claim that is not proven', () => {
  test('is told as such, and names no site', async () => {
    await site('claimed.example', [], 'UTC', false);
    expect(await verify('claimed.example')).toEqual({
      domain: 'claimed.example',
      verified: false,
      claim: 'unproven',
      consent_active: false,
    });
  });

  test('never stands before one that is, however many there are and whatever they show', async () => {
    const real = await site('contested.example');
    for (let n = 0; n < 25; n += 1) await site('contested.example', [], 'UTC', false);
    const loud = await site('contested.example', [], 'UTC', false);
    await server.visitor.recordImpression({ token: loud.token, body: {} });
    expect(await verify('contested.example')).toMatchObject({
      verified: true,
      claim: 'proven',
      environment_token: real.token,
      consent_active: false,
    });
  });

  test('a proof is over after its time, and with the domain that was taken off the site', async () => {
    const { client, token } = await site('over.example', ['kept.example']);
    itIs(Date.now() + 31 * DAY);
    expect(await verify('over.example')).toMatchObject({ verified: false, claim: 'unproven' });
    jest.useRealTimers();
    await prove(server, token, ['over.example']);
    expect(await verify('over.example')).toMatchObject({ verified: true });
    await client.updateEnvironment({ token, body: { domain: 'kept.example', domains: [] } });
    expect(await verify('over.example')).toMatchObject({ verified: false, claim: 'none' });
  });
});

test('a site that is paused is as unknown as one that never was', async () => {
  const { client, token } = await site('paused.example');
  await client.updateEnvironment({ token, body: { status: 'paused' } });
  expect(await verify('paused.example')).toEqual({ ...UNKNOWN, domain: 'paused.example' });
});

test('nothing private is told, and known and unknown are cached alike', async () => {
  await site('private.example');
  const ask = (domain: string) => raw(server.url, { path: `/api/public/verify/${domain}` });
  const [known, unknown] = [await ask('private.example'), await ask('nobody.example')];
  expect(Object.keys(known.json.data).sort()).toEqual([
    ...[
      'claim',
      'consent_active',
      'domain',
      'environment_token',
      'last_seen_at',
      'policy_version',
      'verified',
    ],
  ]);
  expect(known.text).not.toContain('Secret name');
  for (const answer of [known, unknown]) {
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('public, max-age=60');
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(answer.json.message).toBe(known.json.message);
  }
  const names = ({ headers }: typeof known) => Object.keys(headers).sort();
  expect(names(unknown)).toEqual(names(known));
});

test.each([
  'a',
  'a..example',
  '-a.example',
  'a_b.example',
  `${'a'.repeat(64)}.example`,
  '...',
  'xn--.example',
])('what is no domain is refused: %s', async (domain) => {
  const { status, json } = await raw(server.url, {
    path: `/api/public/verify/${encodeURIComponent(domain)}`,
  });
  expect([status, json.data.errors.map(({ path }: { path: string }) => path)]).toEqual([
    400,
    ['path.domain'],
  ]);
});
