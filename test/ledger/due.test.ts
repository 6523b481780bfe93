import { randomUUID } from 'node:crypto';
import { verifyEvidence } from '../../sdk/src/verify';
import { readConfig } from '../../server/src/config';
import { createJobs } from '../../server/src/jobs';
import type { Job, Scheduler } from '../../server/src/jobs/scheduler';
import { readPack } from '../helpers/ledger/read-pack';
import { useServer } from '../helpers/server';

/** How far a log may lag behind its records, in milliseconds. */
const BEHIND = 60_000;

// Its jobs run when the tests run them; how often they are due is what the service comes with.
const server = useServer({ variables: { ROLE: 'api' } });
let jobs: Scheduler;
let listed: readonly Job[];
beforeAll(() => {
  jobs = createJobs(server.service.context);
  listed = Reflect.get(jobs, 'jobs');
});
afterAll(() => jobs.stop());

const sealing = (): Job => {
  const job = listed.find(({ name }) => name === 'sealing');
  if (job === undefined) throw new Error('no job seals');
  return job;
};

/** As if some process had run the job so long ago. */
const ranAgo = (milliseconds: number) =>
  server.service.context.db.raw(
    `INSERT INTO job_runs (name, finished_at) VALUES ('sealing', clock_timestamp() - ? * interval '1 millisecond')
     ON CONFLICT (name) DO UPDATE SET finished_at = excluded.finished_at`,
    [milliseconds],
  );

/** How soon after the start of the jobs the first run of each is due. */
function firstRuns(): Map<string, number> {
  const timer = jest.spyOn(globalThis, 'setTimeout').mockReturnValue({} as NodeJS.Timeout);
  try {
    createJobs(server.service.context).start();
    return new Map(listed.map(({ name }, n) => [name, Number(timer.mock.calls[n]?.[1])]));
  } finally {
    timer.mockRestore();
  }
}

test('the job is due often enough that no log lags by more than a minute, whatever is configured', () => {
  expect(sealing().every).toBe(readConfig({}).sealSeconds * 1_000);
  expect(sealing().every).toBeLessThanOrEqual(BEHIND);
  expect(firstRuns().get('sealing')).toBeLessThanOrEqual(BEHIND);
  expect(() => readConfig({ SEAL_SECONDS: '61' })).toThrow(/SEAL_SECONDS/);
});

test('a record says that it waits until the first run after it is due, and then gives its proof', async () => {
  const { client, token } = await server.site();
  const session_id = randomUUID();
  // What the making of the site left is sealed, so that the log has a head which the record is not below.
  await ranAgo(BEHIND);
  expect(await jobs.runOnce(sealing())).toBe(true);
  const body = { session_id, decision: 'accept_all' as const };
  const { consent_id } = await server.visitor.logConsent({ token, body });
  const shown = async () => {
    const receipt = await server.visitor.getConsentReceipt({ token, consent_id, session_id });
    const { keys, behind } = await server.visitor.getEvidenceLog({ token });
    const pack = await readPack(await (await client.exportEvidence({ token, consent_id })).arrayBuffer());
    const { leaf, proof, checkpoint, pending } = receipt.evidence;
    const trustedKeys = keys.map(({ vkey }) => vkey);
    return {
      receipt: { leaf, proof, checkpoint, pending },
      behind,
      record: (await client.getConsent({ token, consent_id })).evidence,
      line: pack.of('record').find(({ kind }) => kind === 'consent'),
      found: await verifyEvidence(JSON.stringify(receipt), { trustedKeys }),
    };
  };

  // Another process has just run it.
  await ranAgo(0);
  expect(await jobs.runOnce(sealing())).toBe(true);
  expect(await shown()).toMatchObject({
    receipt: { leaf: null, proof: null, checkpoint: null, pending: true },
    record: { status: 'waiting', leaf: null, size: null, sealed_at: null },
    line: { leaf: null, proof: null, pending: true },
    found: { verdict: 'incomplete', records: { proven: 0, pending: 1, failed: 0 } },
  });

  await ranAgo(sealing().every);
  expect(await jobs.runOnce(sealing())).toBe(true);
  const sealed = await shown();
  expect(sealed).toMatchObject({
    receipt: { leaf: expect.any(Number), proof: expect.any(Array), pending: false },
    behind: false,
    record: { status: 'sealed', leaf: expect.any(Number), sealed_at: expect.any(String) },
    line: { leaf: expect.any(Number), proof: expect.any(Array) },
    found: { verdict: 'verified', records: { proven: 1, pending: 0, failed: 0 } },
  });
  expect(sealed.line).not.toHaveProperty('pending');
});
