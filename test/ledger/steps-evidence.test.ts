import { lockHead } from '../../server/src/db/ledger/heads';
import { FalseWitness } from '../helpers/ledger/false-witness';
import { headOfSite } from '../helpers/ledger/grow';
import { vouchOnce, witnessesOf } from '../helpers/ledger/vouch';
import { useServer } from '../helpers/server';
import { submit } from '../helpers/site/data-subject-requests';
import { until } from '../helpers/until';

const server = useServer({
  variables: { SEAL_SECONDS: '1', PUBLIC_URL: 'https://consent.example.com' },
});
const db = () => server.service.context.db;

const sealed = async <Evidence extends { status: string }>(read: () => Promise<{ evidence: Evidence }>) => {
  await until('its steps are sealed', async () => (await read()).evidence.status === 'sealed');
  return (await read()).evidence;
};

test('a request and a breach say of each new step that it waits, then where it is sealed and who vouches', async () => {
  const { client, token } = await server.site();
  const { request_id } = await submit(server, token);
  const request = () => client.getDsar({ token, request_id });
  const first = await sealed(request);
  expect(first).toMatchObject({ steps: 1, waiting: 0, imported_on: null, timestamped_at: null });
  expect(first.size).toBeGreaterThan(first.leaf as number);
  const { id } = await headOfSite(server, token);
  // Nobody seals while the head is held.
  const held = await db().transaction();
  await lockHead(held, id);
  await client.startDsar({ token, request_id });
  expect((await request()).evidence).toEqual({
    ...{ status: 'waiting', leaf: null, size: null, sealed_at: null, witnesses: [], timestamped_at: null },
    ...{ imported_on: null, steps: 2, waiting: 1 },
  });
  await held.rollback();
  const second = await sealed(request);
  expect(second).toMatchObject({ steps: 2, waiting: 0, witnesses: [] });
  expect(second.leaf).toBeGreaterThan(first.leaf as number);

  const { breach_id } = await client.createBreach({
    token,
    body: { title: 'Lost laptop', aware_at: new Date().toISOString() },
  });
  const breach = () => client.getBreach({ token, breach_id });
  for (let n = 1; n <= 11; n += 1)
    await client.updateBreach({ token, breach_id, body: { title: `Laptop ${n}` } });
  expect(await sealed(breach)).toMatchObject({ steps: 12, waiting: 0, witnesses: [] });
  const witness = await new FalseWitness().listen();
  try {
    await vouchOnce(server, { variables: { WITNESSES: witnessesOf(witness) } });
  } finally {
    await witness.close();
  }
  expect((await breach()).evidence.witnesses).toEqual([witness.name]);
  expect((await request()).evidence.witnesses).toEqual([witness.name]);
});

test('a step whose group was taken away waits for good, and the newer ones do not hide it', async () => {
  const { client, token } = await server.site();
  const { request_id } = await submit(server, token);
  const request = () => client.getDsar({ token, request_id });
  await sealed(request);
  const { id } = await headOfSite(server, token);
  const held = await db().transaction();
  await lockHead(held, id);
  await client.startDsar({ token, request_id });
  await held('ledger_pending').where({ environment_id: id }).delete();
  await held.commit();
  await client.resolveDsar({ token, request_id, body: { resolution: 'fulfilled' } });
  await until('the last step is sealed', async () => !(await client.getEvidenceLog({ token })).behind);
  expect((await request()).evidence).toMatchObject({ status: 'unproven', leaf: null, steps: 3, waiting: 0 });
});

test('the log says where it is published, while it is', async () => {
  const { client, token } = await server.site();
  await until('it has begun', async () => (await client.getEvidenceLog({ token })).size !== null);
  const at = `https://consent.example.com/ledger/${token}/`;
  expect((await client.getEvidenceLog({ token })).url).toBe(at);
  await client.updateEnvironment({ token, body: { settings: { publish_evidence_log: false } } });
  await until('it is hidden', async () => (await client.getEvidenceLog({ token })).url === null);
});
