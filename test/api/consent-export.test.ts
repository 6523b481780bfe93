import { randomUUID } from 'node:crypto';
import { post } from '../helpers/http/raw';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';

const server = useServer();

/** The rows of a CSV file (RFC 4180). */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  for (const line of text.trimEnd().split('\n')) {
    const cells = [...line.matchAll(/("(?:[^"]|"")*"|[^,"]*)(?:,|$)/g)].map(([, cell = '']) => cell);
    if (line.endsWith(',')) cells.push('');
    rows.push(
      cells
        .slice(0, line.endsWith(',') ? undefined : -1)
        .map((cell) => cell.replace(/^"|"$/g, '').replaceAll('""', '"')),
    );
  }
  return rows;
}

test('ndjson: every record, oldest first, one to a line, as the list shows it', async () => {
  const { client, token } = await server.site();
  const records = [];
  for (const decision of ['accept_all', 'reject_all', 'accept_all'] as const)
    records.push(
      await server.visitor.logConsent({
        token,
        body: {
          session_id: randomUUID(),
          decision,
          ...(decision === 'reject_all' ? {} : { tc_string: 'CPX' }),
        },
      }),
    );
  const response = await client.exportConsents({ token });
  expect(response.headers.get('content-type')).toBe('application/x-ndjson');
  expect(response.headers.get('content-disposition')).toMatch(
    /^attachment; filename="consents-shop\.example\.com-\d{4}-\d\d-\d\d\.ndjson"$/,
  );
  const lines = (await response.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toStrictEqual(records);
});

test('csv: the same records under a header', async () => {
  const { client, token } = await server.site();
  const record = await server.visitor.logConsent({
    token,
    body: { session_id: randomUUID(), decision: 'accept_all', language: 'de' },
  });
  const response = await client.exportConsents({ token, format: 'csv' });
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const [header = [], row = [], ...rest] = readCsv(await response.text());
  expect(rest).toEqual([]);
  const cells = Object.fromEntries(header.map((name, i) => [name, row[i]]));
  expect(cells).toMatchObject({
    ...{ consent_id: record.consent_id, session_id: record.session_id, recorded_at: record.recorded_at },
    ...{
      decision: 'accept_all',
      language: 'de',
      gpc: 'false',
      banner_version: '1',
      tc_string: '',
      page_url: '',
    },
  });
  expect(JSON.parse(cells.categories as string)).toEqual(record.categories);
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '=HYPERLINK("http://x","y")'])(
  'csv: %s is no formula',
  async (agent) => {
    const { client, token } = await server.site();
    const body = { session_id: randomUUID(), decision: 'accept_all' };
    await post(server.url, `/api/consents/${token}/log`, body, { 'User-Agent': agent });
    const text = await (await client.exportConsents({ token, format: 'csv' })).text();
    const [header = [], row = []] = readCsv(text);
    expect(row[header.indexOf('user_agent')]).toBe(`'${agent}`);
  },
);

test('the filters of the list are the filters of the file, in any offset', async () => {
  const { client, token } = await server.site();
  const session_id = randomUUID();
  const log = (decision: 'accept_all' | 'reject_all') =>
    server.visitor.logConsent({ token, body: { session_id, decision } });
  const [, second] = [await log('accept_all'), await log('reject_all')];
  await server.visitor.logConsent({ token, body: { session_id: randomUUID(), decision: 'reject_all' } });
  const lines = async (filter: object) =>
    (await (await client.exportConsents({ token, ...filter })).text()).trimEnd().split('\n');
  const only = await lines({ session_id, decision: 'reject_all' });
  expect(only.map((line) => JSON.parse(line).consent_id)).toEqual([second.consent_id]);
  expect(await lines({ from: '2099-01-01T00:00:00+23:59' })).toEqual(['']);
  expect(await lines({ to: '2099-01-01T00:00:00-23:59' })).toHaveLength(3);
});

test('an empty environment gives an empty file, with a header as csv', async () => {
  const { client, token } = await server.site();
  expect(await (await client.exportConsents({ token })).text()).toBe('');
  expect(await (await client.exportConsents({ token, format: 'csv' })).text()).toMatch(
    /^consent_id,recorded_at,[a-z_,]+\n$/,
  );
});

test('an unknown format is refused', async () => {
  const { client, token } = await server.site();
  const error = await refusal(client.exportConsents({ token, format: 'xlsx' as never }));
  expect([error.status, pathsOf(error)]).toEqual([400, ['query.format']]);
});

test('thousands of records arrive whole', async () => {
  const { client, token } = await server.site();
  const { id } = await server.service.context.db('environments').where({ token }).first('id');
  await server.visitor.logConsent({ token, body: { session_id: randomUUID(), decision: 'accept_all' } });
  await server.service.context.db.raw(
    `INSERT INTO consents SELECT environment_id, recorded_at, gen_random_uuid(), session_id, decision, categories, policy_version,
       banner_version, bundle_hash, method, language, page_url, ip_masked, user_agent, gpc, tc_string, gpp_string, expires_at
     FROM consents, generate_series(1, 4999) WHERE environment_id = ?`,
    [id],
  );
  const text = await (await client.exportConsents({ token })).text();
  expect(
    new Set(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).consent_id),
    ).size,
  ).toBe(5000);
});
