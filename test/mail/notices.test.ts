import { randomUUID } from 'node:crypto';
import { ScanRow } from '../../server/src/db/models';
import { pageOf } from '../../server/src/domain/cookies/page';
import { tellMembers } from '../../server/src/jobs/notices';
import { settleScan } from '../../server/src/scan/claim';
import { queueDailyMail } from '../../server/src/services/notices/notice-mail';
import { itIs } from '../helpers/at-time';
import { CERTIFICATE, type MailServer, sendingTo, startMailServer } from '../helpers/mail/mail-server';
import { siteId } from '../helpers/mail/notices';
import { startServer, type TestServer } from '../helpers/server';
import { submit } from '../helpers/site/data-subject-requests';
import { member } from '../helpers/site/people';
import { INWARD } from '../helpers/webhooks/receiver';

jest.setTimeout(60_000);

const DAY = 86_400_000;
const HOUR = 3_600_000;

let mailServer: MailServer;
let server: TestServer;
beforeAll(async () => {
  mailServer = await startMailServer();
  server = await startServer({
    variables: { ...sendingTo(mailServer.url), ...INWARD, WEBHOOK_RETRY_SECONDS: '60,60,60,60' },
    mail: { ca: CERTIFICATE },
  });
});
afterAll(async () => {
  await server?.stop();
  await mailServer?.stop();
});

/** The job, as if it were so much later. */
const tell = (later = 0): Promise<void> => tellMembers(server.service.context, new Date(Date.now() + later));

type Site = Awaited<ReturnType<TestServer['site']>>;

/** The notices that wait for their daily mail or were mailed to a member, oldest first. */
const notedFor = ({
  userId,
}: Pick<Site, 'userId'>): Promise<{ topic: string; message: string; mailed_at: Date | null }[]> =>
  server.service.context.db('notices').where({ user_id: userId }).orderBy('created_at').orderBy('notice_key');

const topicsOf = async (site: Pick<Site, 'userId'>): Promise<string[]> =>
  (await notedFor(site)).map(({ topic }) => topic);

test('a new request is told once, by whatever process and however often it looks', async () => {
  const site = await server.site();
  await server.visitor.submitDsar({
    token: site.token,
    body: { request_type: 'erasure', email: `${randomUUID()}@visitor.example` },
  });
  await Promise.all([tell(), tell(), tell()]);
  await tell();
  const [mail] = await mailServer.until(1, site.email);
  expect(mail?.parsed.subject).toBe('Example shop: new requests');
  expect(mail?.parsed.text).toMatch(/A new data-subject request \(erasure\) came/);
  expect(mail?.parsed.text).not.toContain('visitor.example');
  expect(mail?.raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
  expect(await topicsOf(site)).toEqual(['request_received']);
  expect(mailServer.mails.filter(({ to }) => to.includes(site.email))).toHaveLength(1);
});

test('who gets a request is told alone, once for each time, unless they took it or chose otherwise', async () => {
  const site = await server.site();
  const ada = await member(server, site, 'operator');
  const { token, client } = site;
  const { request_id } = await submit(server, token);
  const assign = (assignee: number | 'me' | null) =>
    client.assignDsar({ token, request_id, body: { assignee } });
  await assign('me');
  await tell();
  await assign(ada.userId);
  await Promise.all([tell(), tell()]);
  // They leave at once, in whatever order.
  const mails = await mailServer.until(2, ada.email);
  const mail = mails.find(({ parsed }) =>
    parsed.text?.includes('A data-subject request (erasure) was assigned to you'),
  );
  expect(mail).toBeDefined();
  expect(mail?.parsed.text).toContain(`/sites/${token}`);
  expect(mail?.parsed.text).not.toContain('visitor@example.com');
  expect((await topicsOf(ada)).sort()).toEqual(['request_assigned', 'request_received']);
  expect(await topicsOf(site)).not.toContain('request_assigned');
  await assign(null);
  await tell();
  await assign(ada.userId);
  await ada.client.updateNotificationSettings({ body: { request_assigned: 'off' } });
  await tell();
  expect(await topicsOf(ada)).toHaveLength(2);
  await ada.client.updateNotificationSettings({ body: { request_assigned: 'daily' } });
  await tell();
  // It was assigned before she wanted to be told.
  expect(await topicsOf(ada)).toHaveLength(2);
  await assign(null);
  await assign(ada.userId);
  await tell();
  expect((await notedFor(ada)).at(-1)).toMatchObject({ topic: 'request_assigned', mailed_at: null });
});

test('an owner who logs in by a provider alone is told, and one who never came is not', async () => {
  const [site, absent] = [await server.site(), await server.site()];
  const { db } = server.service.context;
  await db('users').whereIn('id', [site.userId, absent.userId]).update({ password_hash: null });
  const now = new Date();
  await db('identities').insert({
    ...{ identity_id: randomUUID(), user_id: site.userId, provider: 'acme', issuer: 'https://acme.example' },
    ...{ subject: randomUUID(), email: null, made_by: 'login', linked_at: now, last_used_at: now },
  });
  for (const { token } of [site, absent])
    await server.visitor.submitDsar({
      token,
      body: { request_type: 'erasure', email: `${randomUUID()}@visitor.example` },
    });
  await tell();
  await mailServer.until(1, site.email);
  expect(await topicsOf(site)).toEqual(['request_received']);
  expect(await topicsOf(absent)).toEqual([]);
});

test('what pages are called stands in one line of a notice, and reads no secret of the mail', async () => {
  const { context } = server.service;
  const { email, userId } = await server.person();
  const notice = { topic: 'new_cookies' as const, path: '/account', mailed_at: null };
  await context.db.transaction((trx) =>
    queueDailyMail(context.mail, trx, { user_id: userId, email }, [
      { ...notice, site: 'Shop', message: `It found \ue000\ue001\nX-Injected: \u202eyes` },
    ]),
  );
  const [mail] = await mailServer.until(1, email);
  expect(mail?.parsed.text).toContain('It found X-Injected: yes');
});

test('cookies before consent are told that the scan before of the same page had not, each once', async () => {
  const site = await server.site();
  const { db } = server.service.context;
  const { id: environment_id } = await db('environments').where({ token: site.token }).first('id');
  // Its owner was there before its scans.
  await db('members')
    .where({ environment_id })
    .update({ added_at: new Date(Date.now() - 3 * DAY) });
  const cookie = (name: string) => ({
    ...{ storage: 'cookie' as const, name, domain: 'shop.example.com', category: 'analytics' },
    ...{ max_age_seconds: 60, secure: true, http_only: false, same_site: null },
    ...{ set_before_consent: true, first_party: true },
  });
  const scanned = async (hours: number, ...names: string[]) => {
    const url = 'https://shop.example.com/';
    const scan_id = randomUUID();
    const at = new Date(Date.now() + hours * HOUR);
    await db('cookie_scans').insert({
      ...{ scan_id, environment_id, url, domain: scan_id, page: pageOf(url).page, state: 'running' },
      // Nobody else takes it over.
      ...{ runs: 1, lease: scan_id, lease_until: new Date(Date.now() + DAY), created_at: at, started_at: at },
    });
    const result = {
      ...{ cookies: names.map(cookie), stored_items: [], requests: [], banner_detected: true },
      ...{ findings: [], conclusive: true },
    };
    itIs(at.getTime());
    const scan = await ScanRow.query(db).findById(scan_id).throwIfNotFound();
    await settleScan(db, { scan, lease: scan_id }, { engine: 'browser', result });
    await tell();
    jest.useRealTimers();
    jest.restoreAllMocks();
  };
  await scanned(-50, '_ga');
  await db('notices').where({ user_id: site.userId }).delete();
  await db('notice_marks').where({ environment_id }).delete();
  // What was there before anybody was told is not new.
  await scanned(-25, '_ga');
  expect(await topicsOf(site)).not.toContain('new_cookies');
  await scanned(-2, '_ga', '_fbp');
  await scanned(-1, '_ga', '_fbp');
  await scanned(-0.9, '_ga');
  await scanned(-0.8, '_ga', '_fbp');
  const told = (await notedFor(site)).filter(({ topic }) => topic === 'new_cookies');
  expect(told.map(({ message }) => message)).toEqual([
    'A cookie scan found new cookies or storage before consent: _fbp.',
  ]);
});

test('a request is told 7 days and 1 day before its deadline, and when it is overdue', async () => {
  const site = await server.site();
  const { due_at } = await site.client.recordDsar({
    token: site.token,
    body: {
      ...{ request_type: 'access', channel: 'letter', contact: '12 Harbour Street' },
      received_on: new Date().toISOString().slice(0, 10),
    },
  });
  const left = Date.parse(due_at) - Date.now();
  await tell(left - 8 * DAY);
  expect(await notedFor(site)).toEqual([]);
  for (const days of [-6, -5, -0.9, -0.1, 1, 9]) await tell(left + days * DAY);
  expect(await topicsOf(site)).toEqual(['request_due', 'request_due', 'request_overdue']);
});

test('the clock of a breach is told at 24, 48, 60 and 72 hours, and no more once it is reported', async () => {
  const site = await server.site();
  const breach = {
    ...{ title: 'Lost laptop', nature: 'Confidentiality', description: 'A laptop was lost.' },
    ...{ severity: 'high' as const, data_categories: ['names'], subject_categories: ['customers'] },
    ...{ consequences: 'Unknown.', measures: 'Remote wipe.', aware_at: new Date().toISOString() },
  };
  const { breach_id } = await site.client.createBreach({ token: site.token, body: breach });
  await site.client.createBreach({ token: site.token, body: { ...breach, title: 'Another' } });
  for (const hours of [1, 25, 26, 49, 61]) await tell(hours * HOUR);
  await site.client.reportBreach({ token: site.token, breach_id, body: { authority: 'BfDI' } });
  await tell(73 * HOUR);
  const messages = (await notedFor(site)).map(({ message }) => /^(\d\d|The 72)/.exec(message)?.[0]);
  expect(messages).toEqual(['24', '24', '48', '48', '60', '60', 'The 72']);
});

test('each member chooses: at once, once a day after 06:00 UTC, or not at all', async () => {
  const site = await server.site();
  await site.client.updateNotificationSettings({
    body: { request_received: 'daily', members_and_keys: 'off' },
  });
  expect(await site.client.getNotificationSettings()).toMatchObject({
    ...{ request_received: 'daily', members_and_keys: 'off', breach_clock: 'at_once' },
  });
  await server.visitor.submitDsar({
    token: site.token,
    body: { request_type: 'access', email: `${randomUUID()}@visitor.example` },
  });
  await tell();
  expect((await notedFor(site)).map(({ mailed_at }) => mailed_at)).toEqual([null]);
  await tell(DAY);
  await tell(DAY + HOUR);
  const [mail] = await mailServer.until(1, site.email);
  expect(mail?.parsed.subject).toBe('Your sites: what happened');
  expect(mail?.parsed.text).toContain('Example shop: A new data-subject request (access) came');
  expect((await notedFor(site)).every(({ mailed_at }) => mailed_at !== null)).toBe(true);
  await tell(2 * DAY);
  expect(mailServer.mails.filter(({ to }) => to.includes(site.email))).toHaveLength(1);
});

test('a webhook that fails and is disabled, and changes of members and keys, are told', async () => {
  const site = await server.site();
  const { db } = server.service.context;
  const { webhook_id } = await site.client.createWebhook({
    ...{ token: site.token },
    body: { url: 'http://127.0.0.1:9/hook', events: '*' },
  });
  await db('webhooks').where({ webhook_id }).update({ status: 'failing', consecutive_failures: 2 });
  await tell();
  await db('webhooks')
    .where({ webhook_id })
    .update({ status: 'disabled', consecutive_failures: 5, disabled_at: new Date() });
  await site.client.createKey({ body: { name: 'nightly', set: 'export', site: site.token } });
  const email = `${randomUUID()}@example.com`;
  await site.client.addMember({ token: site.token, body: { email, role: 'viewer' } });
  await tell();
  await tell();
  expect((await topicsOf(site)).sort()).toEqual([
    'members_and_keys',
    'members_and_keys',
    'webhook_disabled',
    'webhook_failing',
  ]);
});

test('a score that fell, and a script that is no longer seen, are told', async () => {
  const site = await server.site();
  const { db } = server.service.context;
  await tell();
  const { id } = await db('environments').where({ token: site.token }).first('id');
  const { value } = await db('notice_marks').where({ environment_id: id }).first('value');
  await db('notice_marks')
    .where({ environment_id: id })
    .update({ value: JSON.stringify({ ...value, score: 100, grade: 'A' }) });
  await db('domain_proofs')
    .insert({
      ...{
        environment_id: id,
        domain: 'shop.example.com',
        method: 'script',
        checked_at: new Date(Date.now() + 37 * HOUR),
      },
      proven_until: new Date(Date.now() + 30 * DAY),
    })
    .onConflict(['environment_id', 'domain'])
    .merge();
  await tell(25 * HOUR);
  await tell(26 * HOUR);
  expect((await topicsOf(site)).sort()).toEqual(['score_fell', 'script_missing']);
});

test('viewers are told what they choose, and never of members and keys', async () => {
  const site = await server.site();
  const viewer = await server.person('Vera Viewer');
  await server.service.context.db('members').insert({
    environment_id: await siteId(server, site.token),
    ...{ user_id: viewer.userId, role: 'viewer', added_at: new Date() },
  });
  const submit = () =>
    server.visitor.submitDsar({
      token: site.token,
      body: { request_type: 'access', email: `${randomUUID()}@visitor.example` },
    });
  await submit();
  await site.client.createKey({ body: { name: 'nightly', set: 'export', site: site.token } });
  await tell();
  expect(await notedFor(viewer)).toEqual([]);
  await viewer.client.updateNotificationSettings({
    body: { request_received: 'at_once', members_and_keys: 'at_once' },
  });
  await submit();
  await tell();
  expect(new Set((await notedFor(viewer)).map(({ topic }) => topic))).toEqual(new Set(['request_received']));
});

test('one click in a mail ends what it is about; the link to preferences changes each topic', async () => {
  const site = await server.site();
  await server.visitor.submitDsar({
    token: site.token,
    body: { request_type: 'access', email: `${randomUUID()}@visitor.example` },
  });
  await tell();
  const [mail] = await mailServer.until(1, site.email);
  const raw = (mail?.raw ?? '').replace(/\r\n[ \t]+/g, ' ');
  const [, url = ''] = /^List-Unsubscribe:\s*<([^>]+)>/m.exec(raw) ?? [];
  const here = (link: string): string => server.url + new URL(link).pathname;
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  expect((await fetch(here(url), { method: 'POST', body })).status).toBe(200);
  expect((await site.client.getNotificationSettings()).request_received).toBe('off');
  const preferences = here(/http\S+\/mail\/notices\/\S+/.exec(mail?.parsed.text ?? '')?.[0] as string);
  expect(await (await fetch(preferences)).text()).not.toContain('<script');
  const chosen = new URLSearchParams({ request_received: 'daily', breach_clock: 'never', nonsense: 'off' });
  expect((await fetch(preferences, { method: 'POST', body: chosen })).status).toBe(200);
  const settings = await site.client.getNotificationSettings();
  expect([settings.request_received, settings.breach_clock]).toEqual(['daily', 'at_once']);
  const forged = preferences.replace(/\/notices\/\d+/, `/notices/${site.userId + 1}`);
  expect((await fetch(forged)).status).toBe(404);
  const { items } = await site.client.listAccountEvents();
  expect(items.some(({ operation }) => operation === 'updateNotificationSettings')).toBe(true);
});

test('everything is told, however much there is: it is read page by page', async () => {
  const sites = [await server.site(), await server.site()];
  for (const { client, token } of sites)
    for (let n = 0; n < 3; n += 1) {
      const email = `${randomUUID()}@visitor.example`;
      await server.visitor.submitDsar({ token, body: { request_type: 'access', email } });
      await client.createBreach({
        token,
        body: {
          ...{ title: `Breach ${n}`, nature: 'Confidentiality', description: 'A laptop was lost.' },
          ...{ severity: 'high' as const, data_categories: ['names'], subject_categories: ['customers'] },
          ...{ consequences: 'Unknown.', measures: 'Remote wipe.' },
          aware_at: new Date(Date.now() - 30 * HOUR).toISOString(),
        },
      });
      await client.createKey({ body: { name: `nightly ${n}`, set: 'export', site: token } });
    }
  await tellMembers(server.service.context, new Date(), undefined, 1);
  for (const site of sites) {
    const topics = await topicsOf(site);
    const counts = ['request_received', 'breach_clock', 'members_and_keys'].map(
      (one) => topics.filter((topic) => topic === one).length,
    );
    expect(counts).toEqual([3, 3, 3]);
  }
});

test('strangers cannot flood a member: beyond twenty mails a day notices wait for the daily one', async () => {
  const site = await server.site();
  for (let n = 0; n < 22; n += 1) {
    await server.visitor.submitDsar({
      token: site.token,
      body: { request_type: 'access', email: `${randomUUID()}@visitor.example` },
    });
    await tell();
  }
  const noted = await notedFor(site);
  expect(noted).toHaveLength(22);
  expect(noted.filter(({ mailed_at }) => mailed_at === null)).toHaveLength(2);
  // What they cannot cause is told at once all the same.
  await site.client.createKey({ body: { name: 'nightly', set: 'export', site: site.token } });
  await tell();
  const [key] = (await notedFor(site)).filter(({ topic }) => topic === 'members_and_keys');
  expect(key?.mailed_at).not.toBeNull();
});

test('a mail begins with what is most urgent, and names a few of what there is much of', async () => {
  const site = await server.site();
  await site.client.updateNotificationSettings({
    body: { request_received: 'daily', members_and_keys: 'daily' },
  });
  for (let n = 0; n < 25; n += 1)
    await server.visitor.submitDsar({
      token: site.token,
      body: { request_type: 'access', email: `${randomUUID()}@visitor.example` },
    });
  await tell();
  await site.client.createKey({ body: { name: 'nightly', set: 'export', site: site.token } });
  await tell();
  await tell(DAY);
  const [mail] = await mailServer.until(1, site.email);
  const text = mail?.parsed.text ?? '';
  expect(text.match(/A new data-subject request/g)).toHaveLength(5);
  expect(text).toContain('And 20 more: new requests.');
  expect(text.indexOf('An API key was made')).toBeGreaterThan(0);
  expect(text.indexOf('An API key was made')).toBeLessThan(text.indexOf('A new data-subject request'));
});

test('what concerns an account and no site is in its daily mail too', async () => {
  const site = await server.site();
  await site.client.updateNotificationSettings({ body: { members_and_keys: 'daily' } });
  await site.client.createKey({ body: { name: 'everywhere', set: 'export' } });
  await tell();
  await tell(DAY);
  const [mail] = await mailServer.until(1, site.email);
  expect(mail?.parsed.text).toContain('Your account: An API key was made');
});

test('whoever is an owner no more is told nothing that only owners are told', async () => {
  const site = await server.site();
  const ada = await member(server, site, 'owner');
  const { token, client } = site;
  await ada.client.updateNotificationSettings({
    body: { members_and_keys: 'daily', request_received: 'daily' },
  });
  await client.createKey({ body: { name: 'nightly', set: 'export', site: token } });
  await submit(server, token);
  await tell();
  expect(new Set(await topicsOf(ada))).toEqual(new Set(['members_and_keys', 'request_received']));
  await client.updateMember({ token, user_id: ada.userId, body: { role: 'operator' } });
  await tell(DAY);
  const [mail] = await mailServer.until(1, ada.email);
  expect(mail?.parsed.text).toContain('A new data-subject request');
  expect(mail?.parsed.text).not.toContain('API key');
});
