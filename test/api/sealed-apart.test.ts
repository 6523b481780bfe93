import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { bytesOf } from '../../server/src/domain/ledger/note';
import { openGroupKey } from '../../server/src/ledger/group-secret';
import { idOf } from '../../server/src/ledger/keys';
import { Sealer } from '../../server/src/ledger/seal';
import { rowOf, Vault } from '../../server/src/security/vault';
import { reseal } from '../../server/src/services/reseal';
import { decide, sealAll } from '../helpers/ledger/sealed-site';
import { freePort, runToEnd } from '../helpers/processes/child';
import { type Client, useServer } from '../helpers/server';
import { attach, PDF, someRequest } from '../helpers/site/attachments';
import { INWARD } from '../helpers/webhooks/receiver';

// What somebody can do who writes to the database, and has no SECRETS_KEY.

jest.setTimeout(120_000);

const KEY = Buffer.alloc(32, 7).toString('base64');
const server = useServer({ variables: { ROLE: 'api', ...INWARD } });
const db = (): Knex => server.service.context.db;
/** Has opened nothing yet. */
const fresh = () => new Vault(KEY);

async function place() {
  const { client, token, userId } = await server.site();
  const { id } = await db()('environments').where({ token }).first('id');
  const request_id = await someRequest(server.visitor, token);
  return { client, token, userId, id: id as string, at: { token, request_id } };
}

const answer = (client: Client, at: { token: string; request_id: string }, text: string) =>
  client.resolveDsar({ ...at, body: { resolution: 'fulfilled', answer: text } });

async function sealedAnswer(text: string): Promise<Buffer> {
  const { client, at } = await place();
  await answer(client, at, text);
  return (await db()('dsar_requests').where({ request_id: at.request_id }).first('answer')).answer;
}

const sealAnew = () => {
  const { log, publicUrl } = server.service.context;
  return new Sealer({ db: db(), log, vault: fresh(), publicUrl }).run();
};

/** A key of somebody's own. */
function foreignKey() {
  const { privateKey } = generateKeyPairSync('ed25519');
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32).toString('base64');
  const public_key = bytesOf(privateKey);
  return { seed, public_key, key_id: idOf(public_key) };
}

const presentKey = () => db()('ledger_keys').whereNull('retired_at').first();
const headOf = (environment_id: string) => db()('ledger_heads').where({ environment_id }).first();

test('what an earlier build sealed is read, and sealed by its purpose and row with the next reseal', async () => {
  const { client, token, id, userId, at } = await place();
  await sealAll(server);
  await answer(client, at, 'Dear Ada');
  const { attachment_id } = await attach(client, at);
  const vault = fresh();
  const key = await presentKey();
  const seed = vault.of('ledger key').open(key.sealed, key.key_id);
  const groups = vault.of('server secret ledger_groups');
  const { sealed } = await db()('server_secrets').where({ name: 'ledger_groups' }).first();
  const secret = groups.open(sealed);
  const mail = { to: 'ada@example.com', subject: 'Hello', text: '', html: '' };
  const request = { request_id: at.request_id };
  await db()('ledger_keys')
    .whereNull('retired_at')
    .update({ sealed: vault.seal(seed) });
  await db()('server_secrets')
    .where({ name: 'ledger_groups' })
    .update({ sealed: vault.seal(secret) });
  await db()('dsar_requests')
    .where(request)
    .update({ answer: vault.seal('Dear Ada') });
  await db()('attachment_parts')
    .where({ file_id: attachment_id })
    .update({ content: vault.sealBytes(PDF) });
  await db()('mails')
    .where(request)
    .update({ content: vault.seal(JSON.stringify(mail)) });
  const totp = { user_id: userId, sealed: vault.seal('JBSWY3DPEHPK3PXP'), created_at: new Date() };
  await db()('totp_secrets').insert({ ...totp, last_step: 0 });
  const works = async () => {
    await decide(server, token, randomUUID());
    await openGroupKey(db(), fresh());
    await sealAnew();
    expect((await client.getDsar(at)).answer).toBe('Dear Ada');
    const file = await client.downloadAttachment({ ...at, attachment_id });
    expect(Buffer.from(await file.arrayBuffer()).equals(PDF)).toBe(true);
    const { items } = await client.listMails({ token });
    expect(items.every(({ subject }) => subject === 'Hello')).toBe(true);
  };
  await works();
  const changed = async () =>
    Object.fromEntries(
      (await reseal(db(), fresh())).map(({ table, changed: n, lost }) => [table, [n, lost]]),
    );
  expect(await changed()).toMatchObject({
    ...{ ledger_keys: [1, 0], server_secrets: [1, 0], dsar_requests: [1, 0], attachment_parts: [1, 0] },
    ...{ mails: [0, 0], totp_secrets: [0, 0], webhooks: [0, 0] },
  });
  await works();
  expect(Object.values(await changed()).every(([n]) => n === 0)).toBe(true);
  const first = (table: string, where: object) => db()(table).where(where).first();
  const { answer: kept } = await first('dsar_requests', request);
  expect(vault.of('answer').isCurrent(kept, rowOf(id, at.request_id))).toBe(true);
  const app = await first('totp_secrets', { user_id: userId });
  expect(vault.of('authenticator app').open(app.sealed, String(userId))).toBe('JBSWY3DPEHPK3PXP');
  expect(groups.isCurrent((await first('server_secrets', { name: 'ledger_groups' })).sealed)).toBe(true);
  expect(vault.of('ledger key').isCurrent((await presentKey()).sealed, key.key_id)).toBe(true);
});

test('no answer shows the key of the evidence logs, or a secret of the server', async () => {
  const { client, at, token } = await place();
  await decide(server, token);
  await sealAll(server);
  await answer(client, at, 'Dear Ada');
  const { sealed, key_id } = await presentKey();
  const groups = await db()('server_secrets').where({ name: 'ledger_groups' }).first('sealed');
  const seed = fresh().of('ledger key').open(sealed, key_id);
  for (const blob of [sealed, groups.sealed, fresh().seal(seed)]) {
    await db()('dsar_requests').where({ request_id: at.request_id }).update({ answer: blob });
    expect((await client.getDsar(at)).answer).toBeNull();
    expect((await client.getDsarCase(at)).request.answer).toBeNull();
  }
});

test('nothing that the server sealed for somebody becomes the key that signs the logs', async () => {
  const { id, client, token, at } = await place();
  await decide(server, token);
  await sealAll(server);
  const head = await headOf(id);
  const { key_id: genuine } = await presentKey();
  await decide(server, token);
  const { seed, public_key, key_id } = foreignKey();
  const body = { name: 'a.csv', content_type: 'text/csv' as const, bytes: seed.length };
  const { file_id } = await client.createAnswerFile({ ...at, body });
  const content = Buffer.from(seed).toString('base64');
  await client.putAnswerFilePart({ ...at, file_id, part: 0, body: { content } });
  const part = await db()('answer_file_parts').where({ file_id }).first('content');
  const headers = { 'x-key': seed };
  await client.createWebhook({ token, body: { url: 'http://127.0.0.1:9/', events: '*', headers } });
  const webhook = await db()('webhooks').where({ environment_id: id }).first('secret', 'headers');
  for (const sealed of [await sealedAnswer(seed), part.content, webhook.secret, webhook.headers]) {
    await db()('ledger_keys').where({ key_id: genuine }).update({ retired_at: new Date() });
    await db()('ledger_keys').insert({ key_id, public_key, sealed, created_at: new Date() });
    await expect(sealAll(server)).rejects.toThrow(
      /the key \w+ of the evidence logs .*restored from a backup/,
    );
    expect(await headOf(id)).toEqual(head);
    await db()('ledger_keys').where({ key_id }).delete();
    await db()('ledger_keys').where({ key_id: genuine }).update({ retired_at: null });
  }
  await sealAll(server);
  expect(Number((await headOf(id)).size)).toBeGreaterThan(Number(head.size));
});

test('a key must be the one that its row names', async () => {
  const { token, id } = await place();
  await sealAll(server);
  await decide(server, token);
  const head = await headOf(id);
  const row = await presentKey();
  const { key_id } = row;
  const other = foreignKey();
  const changes = [
    // As an earlier build sealed what somebody chose.
    { sealed: fresh().seal(other.seed) },
    { public_key: other.public_key },
    { sealed: fresh().seal(other.seed), public_key: other.public_key },
  ];
  for (const change of changes) {
    await db()('ledger_keys').where({ key_id }).update(change);
    await expect(sealAnew()).rejects.toThrow(/is not the one that its row names/);
    expect(await headOf(id)).toEqual(head);
    await db()('ledger_keys').where({ key_id }).update(row);
  }
  await sealAnew();
});

test("one site's answers and files cannot be read in rows of another", async () => {
  const [ada, eve] = [await place(), await place()];
  for (const { client, at } of [ada, eve]) await answer(client, at, `Of ${at.token}`);
  const files = [
    await attach(ada.client, ada.at, Buffer.concat([PDF, Buffer.from('Ada')])),
    await attach(eve.client, eve.at, Buffer.concat([PDF, Buffer.from('Eve')])),
  ];
  const [of, to] = files.map(({ attachment_id }) => ({ file_id: attachment_id }));
  const copy = async (table: string, column: string, from: object, into: object): Promise<void> => {
    const row = await db()(table).where(from).first(column);
    await db()(table)
      .where(into)
      .update({ [column]: row[column] });
  };
  await copy('dsar_requests', 'answer', { environment_id: ada.id }, { environment_id: eve.id });
  await copy('attachment_parts', 'content', of as object, to as object);
  expect((await eve.client.getDsar(eve.at)).answer).toBeNull();
  expect((await ada.client.getDsar(ada.at)).answer).toBe(`Of ${ada.token}`);
  const { attachment_id } = files[1] as { attachment_id: string };
  await expect(eve.client.downloadAttachment({ ...eve.at, attachment_id })).rejects.toThrow();
});

test('the server does not start with a secret that is something else', async () => {
  const { client, token, id } = await place();
  await client.createWebhook({ token, body: { url: 'http://127.0.0.1:9/', events: '*' } });
  const row = { name: 'ledger_groups' };
  const { sealed } = await db()('server_secrets').where(row).first();
  const { secret } = await db()('webhooks').where({ environment_id: id }).first('secret');
  try {
    const chosen = await sealedAnswer(randomBytes(32).toString('base64'));
    const { sealed: mail } = await db()('server_secrets').where({ name: 'mail' }).first();
    for (const blob of [secret, chosen, mail]) {
      await db()('server_secrets').where(row).update({ sealed: blob });
      await expect(openGroupKey(db(), fresh())).rejects.toThrow('something else that was put in its place');
    }
    const variables = { DATABASE_URL: server.databaseUrl, SECRETS_KEY: KEY, HOST: '127.0.0.1', DEMO: 'off' };
    const port = String(await freePort());
    const { code, errors } = await runToEnd('server/src/main.js', [], { ...variables, PORT: port });
    expect(code).toBe(1);
    expect(errors).toMatch(/^Avow cannot start: The secret "ledger_groups" of the database .*from a backup/);
  } finally {
    await db()('server_secrets').where(row).update({ sealed });
  }
});
