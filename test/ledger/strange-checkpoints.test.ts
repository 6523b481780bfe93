import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { headOfSite } from '../helpers/ledger/grow';
import { decide, sealAll } from '../helpers/ledger/sealed-site';
import { checkpointText, Signer } from '../helpers/ledger/signer';
import { endChildren, runToEnd } from '../helpers/processes/child';
import { useServer } from '../helpers/server';

jest.setTimeout(120_000);

const PUBLIC_URL = 'https://consent.example.com';
const server = useServer({ variables: { ROLE: 'api', PUBLIC_URL } });
const folder = mkdtempSync(join(tmpdir(), 'avow-strange-'));
afterAll(async () => {
  await endChildren();
  rmSync(folder, { recursive: true });
});

/** What `npm run doctor -- --ledger` says, given what somebody calls a checkpoint. */
async function doctor(content: string): Promise<[code: number | null, output: string]> {
  const file = join(folder, 'given');
  writeFileSync(file, content);
  const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');
  const variables = { DATABASE_URL: server.databaseUrl, SECRETS_KEY, PUBLIC_URL, JWT_SECRET: 'x'.repeat(32) };
  const args = ['doctor', '--ledger', '--checkpoint', file];
  const { code, output, errors } = await runToEnd('server/cli/main.js', args, variables);
  return [code, output + errors];
}

async function grown(): Promise<{ origin: string; note: string }> {
  const { token } = await server.site();
  await decide(server, token);
  await sealAll(server);
  const { note } = await headOfSite(server, token);
  return { note, origin: note.split('\n')[0] as string };
}

test.each([0, 7])(
  'a checkpoint of %s leaves more that the log has not signed accuses it of nothing',
  async (more) => {
    const { origin, note } = await grown();
    const size = Number(note.split('\n')[1]) + more;
    const text = checkpointText(origin, size, Buffer.alloc(32, 3));
    const [, line] = note.split('\n\n');
    // By nobody, by somebody of the same name, and with the log's own line of another text.
    for (const signature of ['— x AAAAAAAA\n', new Signer(origin).line(text), line]) {
      const [code, said] = await doctor(`${text}\n${signature}`);
      expect([code, said]).toEqual([1, expect.stringContaining('no key of this log has signed')]);
      expect(said).toContain('fit their records');
      expect(said).not.toMatch(/forked|rolled_back|are damaged/);
    }
  },
);

test('its own checkpoint is taken by itself, and in a receipt as the API answers it', async () => {
  const { note } = await grown();
  const data = { evidence: { checkpoint: note } };
  for (const content of [note, JSON.stringify(data), JSON.stringify({ status: 200, data, message: 'ok' })])
    expect(await doctor(content)).toEqual([0, expect.stringContaining('fit their records')]);
});
