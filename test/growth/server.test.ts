import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';
import { costOf } from './growth';

const server = useServer({ variables: { ROLE: 'api' }, validateResponses: false });

/** A site with so many vendors, each of about a kilobyte. */
async function siteWith(count: number): Promise<string> {
  const { client, token } = await server.site();
  const vendors = Array.from({ length: count }, (_, n) => ({
    ...{ id: n + 1, name: `Vendor ${n}`, purposes: [1], leg_int_purposes: [], categories: ['analytics'] },
    urls: [{ lang_id: 'en', privacy: `https://vendor${n}.example.com/${'p'.repeat(700)}` }],
    cookies: [{ name: `_v${n}`, category: 'analytics', max_age_seconds: 60 }],
  }));
  await client.replaceVendors({ token, body: { vendors } });
  return token;
}

/** The statements of the service, from now on. */
function statements(): string[] {
  const seen: string[] = [];
  const { db, visitorDb } = server.service.context;
  for (const pool of [db, visitorDb]) pool.on('query', ({ sql }: { sql: string }) => seen.push(sql));
  return seen;
}

const looking = (token: string, method = 'HEAD') =>
  fetch(`${server.url}/api/public/vendors/${token}`, { method });

test('a look-up by anybody costs the same for a long list and a short one', async () => {
  const [short, long] = [await siteWith(200), await siteWith(1_000)];
  const many = (token: string) => async () => {
    for (let count = 0; count < 40; count += 1) expect((await looking(token)).status).toBe(200);
  };
  for (const token of [short, long]) await many(token)();
  expect((await costOf(many(long))) / (await costOf(many(short)))).toBeLessThan(2);
});

test('a crowd that looks a list up reads it from the database once, and visitors are served meanwhile', async () => {
  const token = await siteWith(1_000);
  await looking(token);
  const lists = statements();
  const crowd = Array.from({ length: 50 }, () => looking(token, 'GET'));
  const writes = Array.from({ length: 20 }, () =>
    server.visitor.logConsent({ token, body: { session_id: randomUUID(), decision: 'accept_all' } }),
  );
  const order: string[] = [];
  await Promise.all([
    ...crowd.map((answer) => answer.then((one) => one.arrayBuffer()).then(() => order.push('list'))),
    ...writes.map((write) => write.then(() => order.push('write'))),
  ]);
  expect(lists.filter((sql) => /"vendor_lists"\.\*|"vendors"/.test(sql))).toEqual([]);
  // The writes came last; they are not answered last.
  expect(order.indexOf('write')).toBeLessThan(order.lastIndexOf('list'));
});

test('a page of very large records is shorter, and its cursor leads to the others', async () => {
  const { client, token } = await server.site();
  const { db } = server.service.context;
  const { id: environment_id } = await db('environments').where({ token }).first('id');
  const cookies = Array.from({ length: 500 }, (_, n) => ({
    name: `${n}${'n'.repeat(900)}`,
    domain: 'x.test',
  }));
  const result = JSON.stringify({
    cookies,
    requests: [],
    banner_detected: true,
    findings: [],
    conclusive: true,
  });
  const ids = Array.from({ length: 30 }, () => randomUUID());
  for (const [at, scan_id] of ids.entries()) {
    const created_at = new Date(Date.now() - at * 1000);
    const row = {
      scan_id,
      environment_id,
      url: 'https://x.test/',
      domain: `x${at}.test`,
      state: 'done',
      engine: 'http',
      result,
    };
    await db('cookie_scans').insert({ ...row, runs: 1, created_at, finished_at: created_at });
  }
  const seen: string[] = [];
  let largest = 0;
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const headers = {
      Authorization: `Bearer ${(await server.service.context.tokens.issue(await ownerOf(token))).token}`,
    };
    const query = new URLSearchParams({ limit: '200', ...(cursor === undefined ? {} : { cursor }) });
    const answer = await fetch(`${server.url}/api/cookies/${token}/scans?${query}`, { headers });
    const { data } = (await answer.json()) as {
      data: { items: { scan_id: string }[]; next_cursor: string | null };
    };
    seen.push(...data.items.map(({ scan_id }) => scan_id));
    largest = Math.max(largest, data.items.length);
    cursor = data.next_cursor;
  }
  expect(seen).toEqual(ids);
  expect(largest).toBeLessThan(15);
  expect((await client.listWarnings({ token })).items).toBeDefined();
});

test('however heavy the next rows are, the database hands over no more than a page weighs', async () => {
  const { client, token } = await server.site();
  const { db } = server.service.context;
  const { id: environment_id } = await db('environments').where({ token }).first('id');
  const cookie = {
    ...{
      name: 'n'.repeat(2_500),
      domain: 'x.test',
      category: 'analytics',
      max_age_seconds: 0,
      secure: false,
    },
    ...{ http_only: false, same_site: null, set_before_consent: false, first_party: true },
  };
  const heavy = Array.from({ length: 400 }, () => cookie);
  const rows = Array.from({ length: 40 }, (_, at) => {
    const created_at = new Date(Date.now() - at * 1000);
    // Light ones first, which say nothing of those that follow.
    const cookies = at < 12 ? [] : heavy;
    const result = { cookies, requests: [], banner_detected: true, findings: [], conclusive: true };
    const row = { scan_id: randomUUID(), environment_id, url: 'https://x.test/', domain: `x${at}.test` };
    return {
      ...row,
      ...{ state: 'done', engine: 'http', result: JSON.stringify(result), runs: 1 },
      ...{ created_at, finished_at: created_at },
    };
  });
  for (const row of rows) await db('cookie_scans').insert(row);
  const answers: number[] = [];
  db.on('query-response', (read: unknown) => {
    if (Array.isArray(read)) answers.push(JSON.stringify(read).length);
  });
  const seen: string[] = [];
  for await (const { scan_id } of client.listScans.each({ token, limit: 200 })) seen.push(scan_id);
  expect(seen).toEqual(rows.map(({ scan_id }) => scan_id));
  expect(Math.max(...answers)).toBeGreaterThan(2_000_000);
  expect(Math.max(...answers)).toBeLessThan(4_000_000);
});

test('a report of very many points is refused, and a wider interval answers', async () => {
  const { client, token } = await server.site();
  const { db } = server.service.context;
  const { id: environment_id } = await db('environments').where({ token }).first('id');
  const common = {
    environment_id,
    day: '2026-01-05',
    metric: 'decision',
    key: 'accept_all',
    language: 'en',
    slot: 0,
  };
  await db('daily_counts').insert(
    Array.from({ length: 100 }, (_, n) => ({ ...common, banner_version: n + 1, device: 'mobile', n: 1 })),
  );
  const asked = {
    token,
    from: '2025-02-01T00:00:00Z',
    to: '2026-02-01T00:00:00Z',
    group_by: 'banner_version' as const,
  };
  expect(await refusal(client.getAnalytics({ ...asked, interval: 'day' }))).toMatchObject({ status: 400 });
  expect((await client.getAnalytics({ ...asked, interval: 'week' })).groups).toHaveLength(100);
});

async function ownerOf(token: string): Promise<number> {
  const { user_id } = await server.service.context
    .db('members')
    .join('environments', 'environments.id', 'members.environment_id')
    .where({ token })
    .first('user_id');
  return Number(user_id);
}

test('changed settings are read once by a process, not once a second', async () => {
  const { token } = await server.site();
  const { db } = server.service.context;
  await server.visitor.getPreferences({ token, query: undefined, session_id: randomUUID() } as never);
  const earlier = new Date(Date.now() - 20_000);
  await db('environments').where({ token }).update({ name: 'Changed elsewhere', updated_at: earlier });
  await wait(1_500);
  const read = statements();
  await wait(2_500);
  expect(read.filter((sql) => /changed_in/.test(sql)).length).toBeGreaterThan(1);
  expect(read.filter((sql) => /select "environments"\.\*/.test(sql))).toEqual([]);
});
