import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';

jest.setTimeout(240_000);

/** As long as the DNS allows. */
const LONG = `${'l'.repeat(63)}.${'o'.repeat(63)}.example.com`;

describeInBrowser('the proof of domains', () => {
  const kit = useConsole();

  test('each domain says whether it is proven, by what, and how it can be; a look says what it found', async () => {
    const owner = await kit.server.site();
    const { client, token } = owner;
    await client.updateEnvironment({
      token,
      body: { domains: ['shop.example.com', 'dns.example.com', 'before.example.com', LONG] },
    });
    const { db } = kit.server.service.context;
    const { id: environment_id } = await db('environments').where({ token }).first('id');
    const until = new Date(Date.now() + 20 * 86_400_000);
    const proof = (domain: string, method: string, checked_at: Date | null) => ({
      ...{ environment_id, domain, method, proven_at: new Date(), proven_until: until, checked_at },
    });
    await db('domain_proofs').where({ environment_id }).delete();
    await db('domain_proofs').insert([
      proof('dns.example.com', 'dns', new Date()),
      proof('before.example.com', 'earlier', null),
    ]);
    const page = await kit.open(`/sites/${token}/settings`, { as: owner });
    const of = (domain: string) => page.getByRole('region', { name: domain, exact: true });
    await of('dns.example.com')
      .getByText(/^Proven by its TXT record, until .+ Checked /)
      .waitFor();
    expect(await of('dns.example.com').getByText('How to prove').count()).toBe(0);
    await of('before.example.com').getByText('Not checked yet.').waitFor();
    await of('before.example.com').getByText('How to prove before.example.com').waitFor();
    await of(LONG).getByText('Not proven').waitFor();
    await of(LONG).getByText(`How to prove ${LONG}`).click();
    await of(LONG).getByText(`avow-site=${token}`).first().waitFor();
    await kit.look(page, 'domain-proofs');

    await of('shop.example.com').getByRole('button', { name: 'Check shop.example.com now' }).click();
    await page.getByText('No proof was found on shop.example.com').waitFor({ timeout: 60_000 });
    await of('shop.example.com')
      .getByText(/^Checked /)
      .waitFor();
  });
});
