import { randomUUID } from 'node:crypto';
import { type PackLine, type ReadPack, readPack, rootOfRecord } from '../helpers/ledger/read-pack';
import { useServer } from '../helpers/server';
import { breachInput, submit } from '../helpers/site/data-subject-requests';
import { member } from '../helpers/site/people';
import { until } from '../helpers/until';

const server = useServer({ variables: { SEAL_SECONDS: '1' } });

type Site = Awaited<ReturnType<typeof server.site>>;

const decide = (token: string, body: object = {}) =>
  server.visitor.logConsent({
    token,
    body: { session_id: randomUUID(), decision: 'accept_all', ...body },
  });

async function sealed(token: string): Promise<void> {
  await until('all is sealed', async () => {
    const { behind, size } = await server.visitor.getEvidenceLog({ token });
    return !behind && size !== null;
  });
}

async function packOf({ client, token }: Site, query: object): Promise<ReadPack> {
  const response = await client.exportEvidence({ token, ...query });
  expect(response.headers.get('content-type')).toBe('application/zip');
  return readPack(await response.arrayBuffer());
}

/** Every sealed record leads to the root of the checkpoint. */
function proves({ of }: ReadPack): PackLine[] {
  const [, size, root] = String(of('checkpoint')[0]?.note).split('\n');
  const records = of('record');
  for (const line of records) {
    expect(line).toMatchObject({ leaf: expect.any(Number) });
    expect(rootOfRecord(line, Number(size))).toBe(root);
  }
  return records;
}

test('the pack of one consent proves it, with the banner that was shown and what it names', async () => {
  const site = await server.site();
  const { client, token } = site;
  const { hash, immutable_url } = await client.generateBundle({ token });
  const { consent_id } = await decide(token, { bundle_hash: hash, page_url: 'https://shop.example.com/é' });
  await decide(token);
  await sealed(token);
  const pack = await packOf(site, { consent_id: consent_id.toUpperCase() });
  proves(pack);
  expect(pack.records('consent').map(({ record }) => record.consent_id)).toEqual([consent_id]);
  expect(pack.records('settings').map(({ record }) => record.version)).toEqual([1]);
  expect(pack.records('bundle').map(({ record }) => record.hash)).toEqual([hash]);
  expect(Buffer.from(pack.files[`bundles/${hash}.js`] as Uint8Array).toString()).toBe(
    await (await fetch(immutable_url)).text(),
  );
  expect(pack.lines[0]).toMatchObject({ type: 'pack', version: 1, site: token, subject: { consent_id } });
  expect(pack.lines.at(-1)).toEqual({ type: 'end', records: pack.of('record').length });
  expect(pack.of('key')).toHaveLength(1);
  const page = Buffer.from(pack.files['statement.html'] as Uint8Array).toString();
  expect(page).toContain('<html lang="en">');
  expect(page).toContain(consent_id);
  // Where anybody can check it.
  expect(page).toContain('/verify');
  const readMe = Buffer.from(pack.files['README.txt'] as Uint8Array).toString();
  expect(readMe).toMatch(/open http:\/\/localhost:\d+\/verify in a browser/);
  const proof = await client.getConsent({ token, consent_id });
  const [line] = pack.records('consent');
  expect(proof.evidence).toMatchObject({ status: 'sealed', leaf: line?.line.leaf, timestamped_at: null });
  // Changed behind our back, it does not wait: nothing proves it.
  const { db } = server.service.context;
  await db('consents').where({ consent_id }).update({ ip_masked: '198.51.***.***' });
  const changed = await client.getConsent({ token, consent_id });
  expect(changed.evidence).toMatchObject({ status: 'unproven', leaf: null, size: null, sealed_at: null });
});

test('the pack of a session holds all its decisions and form consents, and nobody else’s', async () => {
  const site = await server.site();
  const { token } = site;
  const session_id = randomUUID();
  for (const decision of ['accept_all', 'reject_all']) await decide(token, { session_id, decision });
  await decide(token);
  const form = { form_id: 'news', form_url: 'https://shop.example.com/', subject: { external_id: 'x' } };
  const statements = [{ key: 'a', text: 'Yes.', accepted: true }];
  await server.visitor.recordFormConsent({ token, body: { ...form, statements, session_id } });
  await server.visitor.recordFormConsent({ token, body: { ...form, statements } });
  await sealed(token);
  const pack = await packOf(site, { session_id });
  proves(pack);
  expect(pack.records('consent').map(({ record }) => record.decision)).toEqual(['accept_all', 'reject_all']);
  expect(pack.records('form_consent').map(({ record }) => record.session_id)).toEqual([session_id]);
});

test('the packs of a request and of a breach prove each of their steps', async () => {
  const site = await server.site();
  const { client, token } = site;
  const { request_id } = await submit(server, token, {});
  await client.startDsar({ token, request_id });
  await client.resolveDsar({ token, request_id, body: { resolution: 'fulfilled' } });
  const { breach_id } = await client.createBreach({ token, body: breachInput({ title: '<b>x</b>' }) });
  await client.reportBreach({ token, breach_id, body: { authority: 'CNIL' } });
  await sealed(token);
  const request = await packOf(site, { request_id });
  proves(request);
  const steps = request.records('dsar').map(({ record }) => [record.step, record.request.status]);
  expect(steps).toEqual([
    ['created', 'created'],
    ['started', 'in_progress'],
    ['resolved: fulfilled', 'resolved'],
  ]);
  const breach = await packOf(site, { breach_id });
  proves(breach);
  expect(breach.records('breach').map(({ record }) => record.step)).toEqual(['created', 'reported']);
  const page = Buffer.from(breach.files['statement.html'] as Uint8Array).toString();
  expect(page).toContain('&lt;b&gt;x&lt;/b&gt;');
  expect(page).not.toContain('<b>x');
});

test('a range holds everything that was recorded in it, in more than one batch', async () => {
  const site = await server.site();
  const { client, token } = site;
  const from = new Date().toISOString();
  for (let n = 0; n < 9; n += 1) await Promise.all(Array.from({ length: 50 }, () => decide(token)));
  await client.createBreach({ token, body: breachInput() });
  await sealed(token);
  const pack = await packOf(site, { from });
  proves(pack);
  expect(pack.records('consent')).toHaveLength(450);
  expect(new Set(pack.records('consent').map(({ line }) => line.leaf)).size).toBe(450);
  expect(pack.records('breach')).toHaveLength(1);
  // Named by the consents, though it was made before.
  expect(pack.records('settings')).toHaveLength(1);
  const none = await packOf(site, { from: '2020-01-01', to: '2020-01-02' });
  expect(none.of('record')).toEqual([]);
});

test('what waits to be sealed is there without a proof', async () => {
  const site = await server.site();
  await sealed(site.token);
  const { consent_id } = await decide(site.token);
  const pack = await packOf(site, { consent_id });
  const [waiting] = pack.records('consent');
  if (waiting?.line.pending) expect(waiting.line).toMatchObject({ leaf: null, proof: null });
  expect(waiting?.line.blinding).toEqual(expect.any(String));
});

test('asking for two subjects or for what is not there says what to do', async () => {
  const { client, token } = await server.site();
  const ask = (query: object) => client.exportEvidence({ token, ...query });
  const id = randomUUID();
  await expect(ask({ consent_id: id, breach_id: id })).rejects.toMatchObject({ status: 400 });
  await expect(ask({ session_id: id, from: '2026-01-01' })).rejects.toMatchObject({ status: 400 });
  for (const name of ['consent_id', 'request_id', 'breach_id'])
    await expect(ask({ [name]: id })).rejects.toMatchObject({ status: 404 });
});

test('a viewer gets no pack: it names sessions in full', async () => {
  const site = await server.site();
  const viewer = await member(server, site, 'viewer');
  const ask = viewer.client.exportEvidence({ token: site.token, from: '2026-01-01' });
  await expect(ask).rejects.toMatchObject({ status: 403 });
});

test('a time-stamp is named only where its head holds the record', async () => {
  const site = await server.site();
  const { token } = site;
  const { consent_id } = await decide(token);
  await sealed(token);
  // A head that is handed out is kept, so that it can be time-stamped.
  const size = Number(String((await packOf(site, { consent_id })).of('checkpoint')[0]?.note).split('\n')[1]);
  const { db } = server.service.context;
  const { id: environment_id } = await db('environments').where({ token }).first('id');
  const authority = 'https://tsa.example.com';
  const at = new Date();
  const stamp = { environment_id, size, authority, token: Buffer.of(0x30, 0), gen_time: at, at };
  await db('ledger_timestamps').insert(stamp);
  const { request_id } = await submit(server, token, {});
  await sealed(token);
  const named = async (query: object): Promise<[heads: number, isOnPage: boolean]> => {
    const pack = await packOf(site, query);
    const page = Buffer.from(pack.files['statement.html'] as Uint8Array).toString();
    return [pack.of('checkpoint').length, page.includes(authority)];
  };
  expect(await named({ consent_id })).toEqual([2, true]);
  expect(await named({ request_id })).toEqual([1, false]);
});

test('a form consent says whether it is sealed, and its pack proves it alone', async () => {
  const site = await server.site();
  const { client, token } = site;
  const session_id = randomUUID();
  const record = (email: string) =>
    server.visitor.recordFormConsent({
      token,
      body: {
        ...{ form_id: 'newsletter', form_url: 'https://shop.example.com/news', session_id },
        ...{ subject: { email }, statements: [{ key: 'news', text: 'Send me news.', accepted: true }] },
      },
    });
  const { form_consent_id } = await record('one@example.com');
  await record('two@example.com');
  await sealed(token);
  const found = await client.getFormConsent({ token, form_consent_id: form_consent_id.toUpperCase() });
  expect(found).toMatchObject({
    ...{ form_consent_id, subject: { email: 'one@example.com' }, session_id },
    evidence: { status: 'sealed', leaf: expect.any(Number), imported_on: null, witnesses: [] },
  });
  const pack = await packOf(site, { form_consent_id });
  const [line, ...others] = proves(pack);
  expect(others).toEqual([]);
  expect(line).toMatchObject({ kind: 'form_consent', leaf: found.evidence.leaf });
  expect(pack.records('form_consent').map(({ record }) => record.form_consent_id)).toEqual([form_consent_id]);
  // The row is changed behind our back: it is not what was sealed any more.
  const { db } = server.service.context;
  await db('form_consents').where({ form_consent_id }).update({ ip_masked: '198.51.***.***' });
  expect((await client.getFormConsent({ token, form_consent_id })).evidence).toMatchObject({
    ...{ status: 'unproven', leaf: null, sealed_at: null },
  });
  const none = { token, form_consent_id: randomUUID() };
  await expect(client.getFormConsent(none)).rejects.toMatchObject({ status: 404 });
  await expect(client.exportEvidence(none)).rejects.toMatchObject({ status: 404 });
  await expect(client.exportEvidence({ token, form_consent_id, session_id })).rejects.toMatchObject({
    status: 400,
  });
});
