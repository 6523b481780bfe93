import { randomUUID } from 'node:crypto';
import { tellMembers } from '../../server/src/jobs/notices';
import { CERTIFICATE, type MailServer, sendingTo, startMailServer } from '../helpers/mail/mail-server';
import { DAY, HOUR, notedFor, siteId } from '../helpers/mail/notices';
import { startServer, type TestServer } from '../helpers/server';
import { join } from '../helpers/site/people';
import { INWARD } from '../helpers/webhooks/receiver';

jest.setTimeout(90_000);

let mailServer: MailServer;
let server: TestServer;
beforeAll(async () => {
  mailServer = await startMailServer();
  server = await startServer({
    variables: { ...sendingTo(mailServer.url), ...INWARD, ROLE: 'api' },
    mail: { ca: CERTIFICATE },
  });
});
afterAll(async () => {
  await server?.stop();
  await mailServer?.stop();
});

const db = () => server.service.context.db;
const tell = (later = 0): Promise<void> => tellMembers(server.service.context, new Date(Date.now() + later));
const ago = (milliseconds: number): Date => new Date(Date.now() - milliseconds);
const lookedAt = (finished_at: Date) =>
  db()('job_runs').insert({ name: 'notices', finished_at }).onConflict('name').merge();

type Site = Awaited<ReturnType<TestServer['site']>>;

const submit = ({ token }: Pick<Site, 'token'>) =>
  server.visitor.submitDsar({
    token,
    body: { request_type: 'erasure', email: `${randomUUID()}@visitor.example` },
  });

/** A site whose owner has been one for long, with a key that was made and a request that came so long ago. */
async function pastSite(key: number, request: number): Promise<Site> {
  const site = await server.site();
  const environment_id = await siteId(server, site.token);
  await db()('members')
    .where({ environment_id })
    .update({ added_at: ago(60 * DAY) });
  await site.client.createKey({ body: { name: 'nightly', set: 'export', site: site.token } });
  await db()('audit_events')
    .where({ environment_id })
    .update({ occurred_at: ago(key) });
  const { request_id } = await submit(site);
  await db()('dsar_requests')
    .where({ request_id })
    .update({ created_at: ago(request) });
  return site;
}

const topicsOf = async (site: Pick<Site, 'userId'>): Promise<string[]> =>
  (await notedFor(server, site)).map(({ topic }) => topic).sort();

test('what happened while no worker ran is told when one runs again', async () => {
  const site = await pastSite(3 * HOUR, 2 * DAY);
  await lookedAt(ago(4 * DAY));
  const worker = await startServer({
    variables: { ...sendingTo(mailServer.url), ROLE: 'worker' },
    ...{ databaseUrl: server.databaseUrl, mail: { ca: CERTIFICATE } },
  });
  try {
    const [mail] = await mailServer.until(1, site.email);
    expect(mail?.parsed.text).toContain('A new data-subject request (erasure) came');
    expect(mail?.parsed.text).toContain('An API key was made');
    expect(await topicsOf(site)).toEqual(['members_and_keys', 'request_received']);
  } finally {
    await worker.stop();
  }
});

test('what is older than a month is told no more, and what a look has passed over is not told later', async () => {
  const old = await pastSite(33 * DAY, 33 * DAY);
  const seen = await pastSite(3 * HOUR, 2 * DAY);
  await lookedAt(ago(60_000));
  await tell();
  expect([await topicsOf(old), await topicsOf(seen)]).toEqual([[], []]);
  await lookedAt(ago(90 * DAY));
  await tell();
  expect([await topicsOf(old), await topicsOf(seen)]).toEqual([[], ['members_and_keys', 'request_received']]);
});

test('before the first look of all, the time counts since there is something to look with', async () => {
  const site = await pastSite(3 * HOUR, 2 * DAY);
  await db()('job_runs').where({ name: 'notices' }).delete();
  await tell();
  expect(await topicsOf(site)).toEqual([]);
  await db()('avow_migrations')
    .whereLike('name', '%_add_notices')
    .update({ migration_time: ago(3 * DAY) });
  await tell();
  expect(await topicsOf(site)).toEqual(['members_and_keys', 'request_received']);
});

test('however much has happened, a member gets few mails of it, and no more than its share of notices at once', async () => {
  const site = await server.site();
  const environment_id = await siteId(server, site.token);
  await site.client.createKey({ body: { name: 'nightly', set: 'export', site: site.token } });
  await db().raw(
    `INSERT INTO audit_events (environment_id, account_id, occurred_at, audit_id, operation, kind, via, changes, changes_left_out)
     SELECT :environment_id, 0, now() + interval '1 second', gen_random_uuid(), 'createKey', 'change', 'login', '[]', 0
     FROM generate_series(1, 700)`,
    { environment_id },
  );
  await tell();
  expect(await notedFor(server, site)).toHaveLength(201);
  expect(await db()('mails').where({ user_id: site.userId, kind: 'owner_notice' })).toHaveLength(1);
});

async function webhook({ client, token }: Site): Promise<{ webhook_id: string }> {
  const body = { url: 'http://127.0.0.1:9/hook', events: '*' as const };
  const { webhook_id } = await client.createWebhook({ token, body });
  return { webhook_id };
}

test('a new member is told nothing that happened before, nor that they joined', async () => {
  const site = await server.site();
  await submit(site);
  const [first, second] = [await webhook(site), await webhook(site)];
  await db()('webhooks')
    .where(first)
    .update({ status: 'disabled', consecutive_failures: 5, disabled_at: new Date() });
  await db()('webhooks').where(second).update({ status: 'failing', consecutive_failures: 2 });
  await site.client.createBreach({
    token: site.token,
    body: {
      ...{ title: 'Lost laptop', nature: 'Confidentiality', description: 'A laptop was lost.' },
      ...{ severity: 'high' as const, data_categories: ['names'], subject_categories: ['customers'] },
      ...{ consequences: 'Unknown.', measures: 'Remote wipe.', aware_at: ago(30 * HOUR).toISOString() },
    },
  });
  await site.client.createKey({ body: { name: 'nightly', set: 'export', site: site.token } });
  await tell();
  const told = await topicsOf(site);
  for (const topic of [
    'breach_clock',
    'members_and_keys',
    'request_received',
    'webhook_disabled',
    'webhook_failing',
  ])
    expect(told).toContain(topic);
  const grace = await server.person('Grace Owner');
  await join(site, grace, 'owner');
  await tell();
  // That the invitation was made was before, too.
  expect(await notedFor(server, grace)).toEqual([]);
  await submit(site);
  await tell();
  expect(await topicsOf(grace)).toEqual(['request_received']);
});

test('whoever switches a notice on is told what happens from then on', async () => {
  const site = await server.site();
  const settings = (mode: 'off' | 'daily') =>
    site.client.updateNotificationSettings({ body: { request_received: mode } });
  await settings('off');
  await submit(site);
  await settings('daily');
  await tell();
  expect(await topicsOf(site)).toEqual([]);
  await submit(site);
  // That it is told in another way changes nothing.
  await site.client.updateNotificationSettings({ body: { request_received: 'at_once' } });
  await tell();
  expect(await topicsOf(site)).toEqual(['request_received']);
  const viewer = await server.person('Vera Viewer');
  await join(site, viewer, 'viewer');
  await submit(site);
  await viewer.client.updateNotificationSettings({ body: { request_received: 'at_once' } });
  await tell();
  expect(await topicsOf(viewer)).toEqual([]);
  await submit(site);
  await tell();
  expect(await topicsOf(viewer)).toEqual(['request_received']);
});
