import { randomUUID } from 'node:crypto';
import type { Handler } from '../../server/src/api/handler';
import { NO_SITE } from '../../server/src/db/audit-events';
import type { AuditEventRow } from '../../server/src/db/models';
import { audited, type Prepared, prepared, prepareProvider, TRACES } from '../helpers/audit/prepared';
import { skipOnCluster } from '../helpers/cluster/skip';
import { contract } from '../helpers/http/contract-requests';
import { raw } from '../helpers/http/raw';
import { useServer } from '../helpers/server';
import { useProvider } from '../helpers/sign-on/provider';
import { rowsIn } from '../helpers/site/people';
import { allRows } from '../helpers/site/rows';
import { INWARD } from '../helpers/webhooks/receiver';

jest.setTimeout(60_000);
skipOnCluster('the triggers that watch transactions are for tables of one node');

const acme = useProvider('acme');
/** Nothing is sent by a process without the worker's role; that it could be is what some operations ask. */
const MAIL = { SMTP_URL: 'smtps://127.0.0.1:9', MAIL_FROM: 'avow@avow.example' };
const server = useServer({
  variables: Object.assign(acme.variables, { ...INWARD, ...MAIL, ROLE: 'api', SCANS: 'public' }),
});
const db = () => server.service.context.db;

/** What a request writes besides its change, whether or not that is committed. */
const ASIDE = ['audit_events', 'idempotency_keys', 'touched', 'login_failures', 'login_networks'];
/** That a session is used is noted before its request begins. */
const NOTED = 'login_sessions';

beforeAll(() => prepareProvider(acme.running(), server));
beforeAll(async () => {
  await db().raw(`
    CREATE TABLE touched (name text NOT NULL, xid text NOT NULL);
    CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO touched VALUES (TG_ARGV[0], pg_current_xact_id()::text); RETURN NULL; END $$;
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION 'no audit event'; END $$`);
  const tables: { name: string }[] = await db()('pg_class')
    .whereRaw(`relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace`)
    .whereNotIn('relname', ['touched', 'idempotency_keys'])
    .select('relname AS name');
  for (const { name } of tables)
    await db().raw(
      // For each row: a statement that changes nothing is no change.
      'CREATE TRIGGER touch AFTER INSERT OR UPDATE OR DELETE ON ?? FOR EACH ROW EXECUTE FUNCTION touch(??)',
      [name, name],
    );
});

const events = (): Promise<AuditEventRow[]> => db()('audit_events').orderBy('occurred_at');

/** Runs a request; what it left in the trails, and what its transactions wrote. */
async function sent({ request }: Prepared) {
  const before = new Set((await events()).map(({ audit_id }) => audit_id));
  await db()('touched').delete();
  const answer = await raw(server.url, request);
  const left = (await events()).filter(({ audit_id }) => !before.has(audit_id));
  return { answer, left, touched: await db()('touched').whereNot({ name: 'touched' }) };
}

type Answer = Awaited<ReturnType<Handler<'eraseSession'>>>;
// @ts-expect-error an operation with transactions of its own answers with the receipt of its event
const withoutReceipt: Answer = { session_id: 's', complete: true, consents: 0, form_consents: 0 };

test('an operation with transactions of its own does not compile without its event', () => {
  expect(withoutReceipt).toBeDefined();
});

test('every operation that an owner, a key or a link changes something with is named by the contract', () => {
  const reading = contract.operations.filter(({ audit }) => audit === undefined);
  const others = reading.filter(({ visitor, open, method }) => method !== 'GET' && !visitor && !open);
  expect(others.map(({ id }) => id).sort()).toEqual([
    ...['beginLink', 'beginPasskey', 'beginPasskeyLogin', 'beginReauthentication', 'beginSignOn'],
    ...['lookAtInvitation', 'previewBundle', 'proveLink'],
  ]);
  // A visitor's own receipt is no export of an owner.
  expect(reading.filter(({ download }) => download).map(({ id }) => id)).toEqual(['saveReceipt']);
  expect(audited.length).toBeGreaterThan(50);
});

test('what has an archive of the same is an export as well where one answer holds it all', () => {
  const at = new Map(
    contract.operations.filter(({ method }) => method === 'GET').map((one) => [one.path, one]),
  );
  const whole = [...at.keys()]
    .filter((path) => path.endsWith('/export'))
    .flatMap((path) => at.get(path.slice(0, -'/export'.length)) ?? [])
    .filter(({ queryNames }) => !queryNames.has('cursor'));
  expect(whole.length).toBeGreaterThan(0);
  expect(whole.filter(({ audit }) => audit !== 'export').map(({ id }) => id)).toEqual([]);
});

test.each(audited)('$id leaves one event, in the transaction of its change', async (operation) => {
  const ready = await prepared(server, operation);
  const { answer, left, touched } = await sent(ready);
  expect([answer.status, answer.text.slice(0, 300)]).toEqual([operation.status, expect.anything()]);
  expect(left).toHaveLength(1);
  const [event] = left as [AuditEventRow];
  // Whoever forgot a password is not known yet.
  const byNobody = operation.id === 'requestPasswordReset';
  const environment = await db()('environments')
    .where({ token: operation.id === 'createEnvironment' ? answer.json.data.token : ready.token })
    .first('id');
  expect(event).toMatchObject({
    ...{ operation: operation.id, kind: operation.audit, via: 'login', key_id: null },
    ...{ environment_id: ready.ofSite ? environment.id : NO_SITE, ip_masked: '127.0.***.***' },
    // What a stranger calls a request is not kept.
    request_id: byNobody ? expect.any(String) : answer.headers['x-request-id'],
  });
  if (operation.id !== 'acceptInvitation') expect(event.user_id).toBe(byNobody ? null : ready.userId);
  expect(event.account_id).toBe(ready.ofSite ? 0 : ready.userId);
  expect([operation.id, event.resource === null]).toEqual([operation.id, false]);
  if (operation.audit === 'export') return;
  const xid = touched.find(({ name }) => name === 'audit_events')?.xid;
  const together = touched.filter((one) => one.xid === xid && one.name !== 'audit_events');
  if (operation.id.startsWith('erase')) {
    expect(touched.map(({ name }) => name)).toEqual(expect.arrayContaining(TRACES));
    expect(together.map(({ name }) => name)).toContain(TRACES[0]);
  }
  expect([operation.id, together.length > 0]).toEqual([operation.id, true]);
});

test.each(audited.filter(({ id }) => id !== 'login'))(
  '$id changes nothing, and sends nothing, when its event cannot be written',
  async (operation) => {
    const ready = await prepared(server, operation);
    await db().raw(
      'CREATE TRIGGER refuse BEFORE INSERT ON audit_events FOR EACH ROW EXECUTE FUNCTION refuse()',
    );
    try {
      const before = await allRows(db());
      const answer = await raw(server.url, ready.request);
      const after = await allRows(db());
      for (const name of [...ASIDE, NOTED]) for (const rows of [before, after]) delete rows[name];
      expect([answer.status, answer.headers['content-disposition']]).toEqual([500, undefined]);
      expect(after).toEqual(before);
      for (const name of operation.id.startsWith('erase') ? TRACES : [])
        expect([name, await rowsIn(server, name, ready.token as string)]).not.toEqual([name, []]);
    } finally {
      await db().raw('DROP TRIGGER refuse ON audit_events');
    }
  },
);

test.each(audited)('$id leaves none when it is refused', async (operation) => {
  const ready = await prepared(server, operation);
  const headers = { ...ready.request.headers, Authorization: 'Bearer nobody' };
  const body = ready.request.body as string | undefined;
  // Without a login: a link that is none, and an address without an account.
  const wrong = body
    ?.replace(/"code":"[^"]+"/, `"code":"${'x'.repeat(43)}"`)
    .replace(/"challenge":"[^"]+"/, '"challenge":"a.b.c"')
    .replace(/"[^"]+@/, `"${randomUUID()}@`)
    .replace(/"logout_token":"../, '"logout_token":"xx');
  const request = { ...ready.request, headers, ...(wrong === undefined ? {} : { body: wrong }) };
  const { answer, left } = await sent({ ...ready, request });
  // The answer does not tell whether an address has an account.
  if (operation.id !== 'requestPasswordReset') expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(left).toEqual([]);
});
