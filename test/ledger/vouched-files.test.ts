import { randomUUID } from 'node:crypto';
import { verifyEvidence } from '../../sdk/src/verify';
import { rotateKey } from '../../server/src/ledger/keys';
import { FalseWitness } from '../helpers/ledger/false-witness';
import { vkeyOfSite } from '../helpers/ledger/grow';
import { vouchOnce, witnessesOf } from '../helpers/ledger/vouch';
import { useServer } from '../helpers/server';
import { until } from '../helpers/until';

// What a server hands out between two visits of its witnesses, in the hands of a reader who names them.
jest.setTimeout(120_000);

const server = useServer({ variables: { SEAL_SECONDS: '1' } });
const session_id = randomUUID();
const [ada, bob] = [new FalseWitness('ada.example'), new FalseWitness('bob.example')];
let site: Awaited<ReturnType<typeof server.site>>;
let vkey: string;
let consent_id: string;

/** A decision, once it is sealed: the log has grown. */
async function decide(): Promise<string> {
  const { token } = site;
  const body = { session_id, decision: 'accept_all' } as const;
  const decided = await server.visitor.logConsent({ token, body });
  await until('it is sealed', async () => {
    const { evidence } = await server.visitor.getConsentReceipt({
      token,
      consent_id: decided.consent_id,
      session_id,
    });
    return !evidence.pending;
  });
  return decided.consent_id;
}

const vouch = (witness: FalseWitness, minutes = 0) =>
  vouchOnce(server, { variables: { WITNESSES: witnessesOf(witness) }, minutes });

const packOf = async (query: object) =>
  new Uint8Array(await (await site.client.exportEvidence({ token: site.token, ...query })).arrayBuffer());
const receiptOf = (id: string) =>
  server.visitor.getConsentReceipt({ token: site.token, consent_id: id, session_id });

async function verdictOf(file: Uint8Array | object, ...witnesses: FalseWitness[]) {
  const source = file instanceof Uint8Array ? file : JSON.stringify(file);
  const options = { trustedKeys: [vkey], witnesses: witnesses.map((one) => one.vkey) };
  const { verdict, steps } = await verifyEvidence(source, options);
  expect(steps.filter(({ ok }) => ok === false)).toEqual([]);
  return { verdict, said: steps.filter(({ step, ok }) => step === 'trust' && ok === 'unknown') };
}

beforeAll(async () => {
  await Promise.all([ada.listen(), bob.listen()]);
  site = await server.site();
  vkey = await vkeyOfSite(server, site.token);
});
afterAll(() => Promise.all([ada.close(), bob.close()]));

test('before the first visit a file is incomplete for who demands the witness, and says what to do', async () => {
  consent_id = await decide();
  for (const file of [await packOf({ consent_id }), await receiptOf(consent_id)]) {
    const { verdict, said } = await verdictOf(file, ada);
    expect(verdict).toBe('incomplete');
    expect(said).toEqual([
      expect.objectContaining({ what: expect.stringContaining('wait for it, and get a new file') }),
    ]);
  }
});

test('what was seen stays verified after further leaves, by each witness on a head of its own', async () => {
  await vouch(ada);
  await decide();
  await vouch(bob, 10);
  const last = await decide();
  const pack = await packOf({ consent_id });
  expect((await verdictOf(pack, ada)).verdict).toBe('verified');
  expect((await verdictOf(pack, ada, bob)).verdict).toBe('verified');
  // Of everything, one witness or both have not seen the end.
  const whole = await packOf({});
  const { verdict, said } = await verdictOf(whole, ada, bob);
  expect([verdict, said.map(({ what }) => what)]).toEqual([
    'incomplete',
    [
      expect.stringMatching(/^the witness ada.* and 2 records lie beyond/),
      expect.stringMatching(/^the witness bob.* and 1 records lie beyond/),
    ],
  ]);
  expect((await verdictOf(await packOf({ consent_id: last }), bob)).verdict).toBe('incomplete');
});

test('a receipt has the newest head that a witness has seen, with its line', async () => {
  const receipt = await receiptOf(consent_id);
  expect(receipt.evidence.witnesses).toEqual([{ name: 'bob.example', vkey: bob.vkey }]);
  expect((await verdictOf(receipt, bob)).verdict).toBe('verified');
  expect((await verdictOf(receipt)).verdict).toBe('verified');
  expect((await verdictOf(receipt, ada)).verdict).toBe('incomplete');
  // One that both have seen is worth more than a newer one.
  await vouch(ada, 120);
  await vouch(bob, 120);
  await decide();
  await vouch(ada, 240);
  const both = await receiptOf(consent_id);
  expect(both.evidence.witnesses).toHaveLength(2);
  expect((await verdictOf(both, ada, bob)).verdict).toBe('verified');
});

test('after a rotation of the key a receipt holds for who has the new key alone', async () => {
  await server.service.context.db.transaction((trx) => rotateKey(trx, server.service.context.vault));
  await decide();
  const receipt = await receiptOf(consent_id);
  const newest = receipt.evidence.keys.at(-1)?.vkey ?? '';
  expect(newest).not.toBe(vkey);
  const { verdict } = await verifyEvidence(JSON.stringify(receipt), { trustedKeys: [newest] });
  expect(verdict).toBe('verified');
  await vouch(bob, 360);
  await decide();
  vkey = newest;
  expect((await verdictOf(await receiptOf(consent_id), bob)).verdict).toBe('verified');
});

test('after a rotation a log that has not grown since its witnesses came by has them in receipts all the same', async () => {
  await vouch(ada, 480);
  await vouch(bob, 480);
  const before = await receiptOf(consent_id);
  await server.service.context.db.transaction((trx) => rotateKey(trx, server.service.context.vault));
  const receipt = await until('the head is signed anew', async () => {
    const given = await receiptOf(consent_id);
    return lineOfLog(given) === lineOfLog(before) ? undefined : given;
  });
  expect(textOf(receipt)).toBe(textOf(before));
  vkey = receipt.evidence.keys.at(-1)?.vkey ?? '';
  expect((await verdictOf(receipt, ada, bob)).verdict).toBe('verified');
  // Nor are they lost with the next leaf, before a witness comes by again.
  await decide();
  const later = await receiptOf(consent_id);
  expect(textOf(later)).toBe(textOf(before));
  expect(later.evidence.witnesses).toHaveLength(2);
  expect((await verdictOf(later, ada, bob)).verdict).toBe('verified');
  expect((await verdictOf(await packOf({ consent_id }), ada, bob)).verdict).toBe('verified');
});

const lineOfLog = ({ evidence }: { evidence: { checkpoint: string | null } }) =>
  evidence.checkpoint?.split('\n\n')[1]?.split('\n')[0];
const textOf = ({ evidence }: { evidence: { checkpoint: string | null } }) =>
  evidence.checkpoint?.split('\n\n')[0];
