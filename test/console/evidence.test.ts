import type { Download, Page } from 'playwright-core';
import { verifyEvidence } from '../../sdk/src/verify';
import { lockHead } from '../../server/src/db/ledger/heads';
import { describeInBrowser, savedText } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { decideTwice, fillBreaches, fillRequests } from '../helpers/console/desk';
import { colleague } from '../helpers/console/roles';
import { FalseWitness } from '../helpers/ledger/false-witness';
import { headOfSite } from '../helpers/ledger/grow';
import { readPack } from '../helpers/ledger/read-pack';
import { vouchOnce, witnessesOf } from '../helpers/ledger/vouch';
import { until } from '../helpers/until';

jest.setTimeout(120_000);

/** Where nobody listens. */
const NOWHERE = 'http://127.0.0.1:9';
const witness = new FalseWitness('witness.example.org');
const silent = new FalseWitness('silent.example.net');

describeInBrowser('the evidence log', () => {
  const kit = useConsole({
    variables: {
      ...{ SEAL_SECONDS: '1', PUBLIC_URL: 'https://consent.example.com' },
      WITNESSES: witnessesOf({ vkey: witness.vkey, url: NOWHERE }, { vkey: silent.vkey, url: NOWHERE }),
      TIMESTAMP_URLS: `${NOWHERE}/tsr`,
    },
  });
  const db = () => kit.server.service.context.db;

  /** A site with records of each kind, all of them sealed. */
  let shop: Awaited<ReturnType<typeof fill>>;
  beforeAll(async () => {
    shop = await fill();
  });
  async function fill() {
    const owner = await kit.server.site();
    const { token } = owner;
    const { first, second } = await decideTwice(kit.server, token);
    const [request = ''] = await fillRequests(kit.server, owner, token);
    const [breach = ''] = await fillBreaches(owner, token);
    await sealed(owner);
    await vouch();
    return { owner, token, first, second, request, breach };
  }
  /** One vouches for the log, and two do not answer. */
  async function vouch(): Promise<void> {
    await witness.listen();
    const both = witnessesOf(witness, { vkey: silent.vkey, url: NOWHERE });
    const variables = { WITNESSES: both, TIMESTAMP_URLS: `${NOWHERE}/tsr` };
    await vouchOnce(kit.server, { variables, minutes: 60 });
    await witness.close();
  }
  type Owner = Awaited<ReturnType<typeof kit.server.site>>;
  const sealed = ({ client, token }: Owner) =>
    until('all is sealed', async () => {
      const { size, behind } = await client.getEvidenceLog({ token });
      return size !== null && !behind;
    });

  const bytesOf = async (file: Download): Promise<ArrayBuffer> =>
    new Uint8Array(Buffer.from(await savedText(file, 'latin1'), 'latin1')).buffer;
  const press = async (page: Page, name: string): Promise<Download> => {
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name }).click();
    return saved;
  };
  const card = (page: Page) => page.getByRole('region', { name: 'Evidence', exact: true });

  test('is shown with its keys and who vouches for it, and handed out whole and by range', async () => {
    const { owner, token } = shop;
    const log = await owner.client.getEvidenceLog({ token });
    const page = await kit.open(`/sites/${token}`, { as: owner });
    await page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name: 'Evidence' }).click();
    await page.getByRole('heading', { name: 'Evidence', level: 1 }).waitFor();
    const state = page.getByRole('region', { name: 'The log' });
    for (const text of [log.origin, log.root, log.url])
      await state.getByText(String(text), { exact: true }).waitFor();
    await state.getByText('The newest record is sealed').waitFor();
    const keys = page.getByRole('table', { name: 'Keys' });
    await keys.getByText(String(log.keys[0]?.vkey)).waitFor();
    await keys.getByRole('button', { name: 'Copy' }).click();
    await keys.getByRole('button', { name: /Copied|Select it and copy/ }).waitFor();
    const witnesses = page.getByRole('table', { name: 'Witnesses' }).locator('tbody tr');
    expect(await witnesses.count()).toBe(2);
    await witnesses.filter({ hasText: 'witness.example.org' }).getByText('Works').waitFor();
    await witnesses.filter({ hasText: 'silent.example.net' }).getByText('Failing').waitFor();
    await page.getByRole('table', { name: 'Time-stamping authorities' }).getByText('Failing').waitFor();
    expect(await page.getByRole('link', { name: 'the page that checks it' }).getAttribute('href')).toBe(
      '/verify',
    );
    await kit.look(page, 'evidence');

    const all = await press(page, 'Export evidence pack');
    expect(all.suggestedFilename()).toMatch(/^evidence-.*\.zip$/);
    const bytes = await bytesOf(all);
    expect(readPack(bytes).records('breach').length).toBeGreaterThan(2);
    const verified = await verifyEvidence(bytes, { trustedKeys: [String(log.keys[0]?.vkey)] });
    expect([verified.verdict, verified.records.pending]).toEqual(['verified', 0]);
    await page.getByLabel('Before').fill('2020-01-01T00:00');
    const none = await press(page, 'Export evidence pack');
    expect(readPack(await bytesOf(none)).of('record')).toEqual([]);
  });

  test('says at the field what to do when a range holds more than a pack may', async () => {
    const owner = await kit.server.site();
    const { token } = owner;
    const { first } = await decideTwice(kit.server, token);
    const columns = Object.keys(await db()('consents').where({ consent_id: first }).first()).filter(
      (name) => name !== 'consent_id',
    );
    await db().raw(
      `INSERT INTO consents (consent_id, ${columns.join()}) SELECT gen_random_uuid(), ${columns.join()}
       FROM consents, generate_series(1, 200000) WHERE consent_id = ?`,
      [first],
    );
    const page = await kit.open(`/sites/${token}/evidence`, { as: owner });
    await page.getByRole('button', { name: 'Export evidence pack' }).click();
    await page.getByText('A pack holds at most 200000 consent records: take a shorter range.').waitFor();
  });

  test('hands out the proof of a consent and its receipt on the record’s page', async () => {
    const { owner, token, first, second } = shop;
    const page = await kit.open(`/sites/${token}/consents/${first}`, { as: owner });
    await card(page).getByText('Sealed', { exact: true }).waitFor();
    await card(page).getByText('Witness: witness.example.org').waitFor();
    await kit.look(page, 'consent-sealed');
    const pack = readPack(await bytesOf(await press(page, 'Export evidence pack')));
    expect(pack.records('consent').map(({ record }) => record.consent_id)).toEqual([first]);
    const session = readPack(await bytesOf(await press(page, 'Export the whole session')));
    expect(session.records('consent').map(({ record }) => record.consent_id)).toEqual([first, second]);
    const receipt = await press(page, 'Save the visitor’s receipt');
    expect(receipt.suggestedFilename()).toBe(`receipt-${first}.json`);
    const text = await savedText(receipt);
    expect(JSON.parse(text)).toMatchObject({ consent_id: first, evidence: { pending: false } });
    expect((await verifyEvidence(Buffer.from(text))).records).toEqual({ proven: 1, pending: 0, failed: 0 });
  });

  test('says that a new record waits, and by itself that it is sealed', async () => {
    const { owner, token } = shop;
    const { id } = await headOfSite(kit.server, token);
    // Nobody seals while the head is held.
    const held = await db().transaction();
    await lockHead(held, id);
    const { first } = await decideTwice(kit.server, token);
    const page = await kit.open(`/sites/${token}/consents/${first}`, { as: owner });
    await card(page).getByText('Not sealed yet').waitFor();
    await held.rollback();
    await card(page).getByText('Sealed', { exact: true }).waitFor();
  });

  test('is on the pages of requests and breaches, and viewers see it without the button', async () => {
    const { owner, token, request, breach } = shop;
    const page = await kit.open(`/sites/${token}/dsar/${request}`, { as: owner });
    await card(page).getByText('Changing it would be found out').waitFor();
    await kit.look(page, 'request-sealed');
    const steps = readPack(await bytesOf(await press(page, 'Export evidence pack')));
    expect(steps.records('dsar').map(({ record }) => record.request.request_id)).toEqual([request]);
    await page.goto(`${kit.server.url}/console/sites/${token}/breaches/${breach}`);
    await card(page).getByText('2 steps: changing one would be found out').waitFor();
    const report = readPack(await bytesOf(await press(page, 'Export evidence pack')));
    expect(report.records('breach').map(({ record }) => record.step)).toEqual(['created', 'reported']);

    const viewer = await colleague(kit.server, owner, token, 'viewer');
    for (const path of ['evidence', `dsar/${request}`, `breaches/${breach}`]) {
      const seen = await kit.open(`/sites/${token}/${path}`, { as: viewer });
      await seen.getByText(/Only operators and owners can export/).waitFor();
      expect(await seen.getByRole('button', { name: 'Export evidence pack' }).count()).toBe(0);
    }
  });

  test('is published or not as its owner says, and its warnings lead to its page', async () => {
    const { owner, token } = shop;
    const { id } = await headOfSite(kit.server, token);
    await db()('ledger_vouchers')
      .where({ environment_id: id, voucher: silent.vkey })
      .update({ failing_since: new Date(Date.now() - 2 * 86_400_000) });
    const page = await kit.open(`/sites/${token}`, { as: owner });
    await page.getByRole('link', { name: 'Look at the evidence log' }).first().click();
    await page.getByRole('link', { name: 'Change this' }).click();
    await page.getByText('Publish the evidence log').click();
    await kit.look(page, 'settings-evidence');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Evidence log: saved').waitFor();
    await until('it is hidden', async () => !(await owner.client.getEvidenceLog({ token })).published);
    await page.goto(`${kit.server.url}/console/sites/${token}/evidence`);
    await page.getByText('Only members of the site can read it').waitFor();
    expect(await page.getByText('Address of the checkpoint').count()).toBe(0);
  });
});
