import { randomUUID } from 'node:crypto';
import { useServer } from '../helpers/server';
import { prove } from '../helpers/site/proofs';

const server = useServer();

test('reports of a small site', async () => {
  const { client, token } = await server.site({ time_zone: 'Asia/Kolkata' });
  await server.visitor.recordImpression({ token, body: {} });
  await server.visitor.logConsent({ token, body: { session_id: randomUUID(), decision: 'accept_all' } });
  await server.visitor.logConsent({ token, body: { session_id: randomUUID(), decision: 'reject_all' } });
  for (const interval of ['hour', 'day', 'week', 'month'] as const) {
    const analytics = await client.getAnalytics({
      token,
      interval,
      ...(interval === 'hour' ? {} : { group_by: 'device' as const }),
    });
    expect(analytics.totals).toMatchObject({
      impressions: 1,
      decisions: 2,
      opted_in: 1,
      opt_in_rate: 0.5,
      no_choice: 0,
    });
    const sum = analytics.series.reduce((total, { decisions }) => total + decisions, 0);
    expect(sum).toBe(2);
  }
  const score = await client.getComplianceScore({ token });
  expect(score.checks.length).toBeGreaterThanOrEqual(15);
  for (const format of ['json', 'csv', 'xlsx', 'html'] as const) {
    const response = (await client.exportRopa({ token, format })) as unknown as Response;
    const text = await response.text();
    expect([format, response.status, text.length > 500]).toEqual([format, 200, true]);
  }
  await client.replaceVendors({
    token,
    body: {
      vendors: [
        {
          id: 1,
          name: 'V',
          purposes: [1],
          leg_int_purposes: [],
          categories: ['analytics'],
          urls: [],
          cookies: [],
        },
      ],
    },
  });
  const first = await fetch(`${server.url}/api/public/vendors/${token}`);
  const etag = first.headers.get('etag') as string;
  const second = await fetch(`${server.url}/api/public/vendors/${token}`, {
    headers: { 'If-None-Match': etag },
  });
  expect(second.status).toBe(304);
  await prove(server, token, ['shop.example.com']);
  expect(await server.visitor.verifyDomain({ domain: 'Shop.Example.com.' })).toMatchObject({
    domain: 'shop.example.com',
    verified: true,
    environment_token: token,
    consent_active: true,
  });
});
