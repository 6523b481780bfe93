import { refusal } from '../helpers/http/refusal';
import { type TestServer, useServer } from '../helpers/server';
import { until } from '../helpers/until';

const URL_OF_NOBODY = 'https://93.184.215.14/hooks/avow';
type Site = Awaited<ReturnType<TestServer['site']>>;
type Events = Parameters<Site['client']['createWebhook']>[0]['body']['events'];
const create = ({ client, token }: Site, events: Events) =>
  client.createWebhook({ token, body: { url: URL_OF_NOBODY, events } });
const change = ({ client, token }: Site, webhook_id: string, events: Events) =>
  client.updateWebhook({ token, webhook_id, body: { events } });

async function refused(call: Promise<unknown>, max: number): Promise<void> {
  const { status, code, message } = await refusal(call);
  expect([status, code]).toEqual([409, 'conflict']);
  expect(message).toMatch(
    new RegExp(`At most ${max} webhooks .* visitors cause .*VISITOR_WEBHOOKS_PER_SITE`),
  );
}

describe('by default', () => {
  // As if nobody had set it.
  const server = useServer({ variables: { ROLE: 'api', VISITOR_WEBHOOKS_PER_SITE: '' } });

  test('ten webhooks of a site may ask for what visitors cause, and more for what the team does', async () => {
    const site = await server.site();
    for (let count = 0; count < 10; count += 1) await create(site, '*');
    for (const events of ['*', ['consent.reject_all'], ['breach.created', 'dsar.created']] as Events[])
      await refused(create(site, events), 10);
    await create(site, ['dsar.resolved', 'breach.created', 'breach.reported']);
    await create(await server.site(), '*');
  });
});

describe('with a limit of two', () => {
  const server = useServer({ variables: { ROLE: 'api', VISITOR_WEBHOOKS_PER_SITE: '2' } });

  test('a webhook that would become the third is refused, until another one asks for less', async () => {
    const site = await server.site();
    const first = await create(site, ['consent.accept_all']);
    await create(site, ['dsar.created']);
    const third = await create(site, ['dsar.resolved']);
    await refused(change(site, third.webhook_id, ['dsar.resolved', 'consent.accept_all']), 2);
    await refused(change(site, third.webhook_id, '*'), 2);
    // The two may ask for more, and paused ones count: in turns all would get every event.
    await change(site, first.webhook_id, '*');
    await site.client.pauseWebhook({ token: site.token, webhook_id: first.webhook_id });
    await refused(create(site, ['consent.accept_all']), 2);
    await change(site, first.webhook_id, ['breach.created']);
    await change(site, third.webhook_id, '*');
  });

  test('several at once keep the limit', async () => {
    const site = await server.site();
    const made = await Promise.allSettled(Array.from({ length: 6 }, () => create(site, '*')));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  });

  test('a site that has more keeps them, but none of them asks for more', async () => {
    const site = await server.site();
    const { client, token } = site;
    const { webhook_id } = await create(site, ['consent.accept_all']);
    await server.service.context.db.raw(
      `INSERT INTO webhooks SELECT (jsonb_populate_record(w, jsonb_build_object('webhook_id', gen_random_uuid()))).*
       FROM webhooks w, generate_series(1, 4) WHERE w.webhook_id = ?`,
      [webhook_id],
    );
    await refused(change(site, webhook_id, '*'), 2);
    await refused(create(site, ['dsar.created']), 2);
    await client.updateWebhook({ token, webhook_id, body: { description: 'CRM' } });
    await change(site, webhook_id, ['consent.accept_all', 'breach.created']);
    await client.pauseWebhook({ token, webhook_id });
    expect((await client.resumeWebhook({ token, webhook_id })).status).toBe('active');
  });

  test('a paused webhook that asks for more waits for a resumption of another one, and not the other way round', async () => {
    const site = await server.site();
    const { client, token } = site;
    const { webhook_id } = await create(site, ['breach.created']);
    await client.pauseWebhook({ token, webhook_id });
    const { db } = server.service.context;
    const { id } = await db('environments').where({ token }).first('id');
    const resuming = await db.transaction();
    await resuming('subscription_versions').where({ environment_id: id }).forUpdate();
    const changed = change(site, webhook_id, ['breach.created', 'dsar.created']);
    await until('it waits', async () => {
      const { rows } = await db.raw(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return rows.length === 1;
    });
    // A resumption touches the environment last: it waits for nobody.
    expect(await resuming('environments').where({ id }).forNoKeyUpdate().noWait().select('id')).toEqual([
      { id },
    ]);
    await resuming.commit();
    expect((await changed).events).toEqual(['breach.created', 'dsar.created']);
  });

  test('at both limits the site is told what waiting does not mend', async () => {
    const site = await server.site();
    const { db } = server.service.context;
    const { id } = await db('environments').where({ token: site.token }).first('id');
    const deleteMany = () =>
      db.raw(
        `INSERT INTO deleted_webhooks (environment_id, webhook_id, deleted_at, after_at, advanced_at)
         SELECT ?, gen_random_uuid(), now(), 'epoch', now() FROM generate_series(1, 200)`,
        [id],
      );
    await deleteMany();
    const late = await refusal(create(site, '*'));
    expect(late).toMatchObject({
      status: 429,
      message: expect.stringMatching(/'could not be deleted' in its log/),
    });
    await db('deleted_webhooks').where({ environment_id: id }).delete();
    for (let count = 0; count < 2; count += 1) await create(site, '*');
    await deleteMany();
    await refused(create(site, '*'), 2);
  });
});
