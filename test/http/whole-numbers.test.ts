import { raw } from '../helpers/http/raw';
import { useServer } from '../helpers/server';
import { join } from '../helpers/site/people';

const server = useServer();

const FORMS = ['1e3', '0x10', '1.0', '+5', '%205', '5.', '1e0'];

async function owned() {
  const site = await server.site();
  const { token: bearer } = await server.service.context.tokens.issue(
    site.userId,
    new Date(Date.now() + 1000),
  );
  const send = (method: string, path: string, body?: object) =>
    raw(server.url, {
      method,
      path: `/api/${path}`,
      headers: {
        Authorization: `Bearer ${bearer}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return { ...site, send };
}

const errorsOf = ({ json }: Awaited<ReturnType<typeof raw>>): string[] =>
  json.data.errors.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`);

test.each(FORMS)('an id in a path is decimal digits, and %s is none', async (form) => {
  const { token, send } = await owned();
  const path = `environments/${token}/members/${form}`;
  for (const answer of [
    await send('PATCH', path, { role: 'viewer' }),
    await send('POST', `${path}/invitation`),
    await send('DELETE', path),
  ]) {
    expect(answer.status).toBe(400);
    expect(errorsOf(answer)).toContain('path.user_id type');
  }
});

test('nobody is found under another spelling of their id', async () => {
  const { client, token, send } = await owned();
  const other = await server.person('Dana Officer');
  await join({ client, token }, other, 'viewer');
  const members = `environments/${token}/members`;
  for (const form of [`${other.userId}e0`, `${other.userId}.0`, `0x${other.userId.toString(16)}`])
    expect((await send('DELETE', `${members}/${form}`)).status).toBe(400);
  expect((await client.listMembers({ token })).items).toHaveLength(2);
  expect((await send('DELETE', `${members}/${other.userId}`)).status).toBe(200);
});

test.each(FORMS)('a number of a query is decimal digits, and %s is none', async (form) => {
  const { token, send } = await owned();
  const query = form.replace('+', '%2B');
  expect(errorsOf(await send('GET', `cookies/${token}/consents?limit=${query}`))).toContain(
    'query.limit type',
  );
});

test('what is no number at all is told once', async () => {
  const { token, send } = await owned();
  expect(errorsOf(await send('DELETE', `environments/${token}/members/abc`))).toEqual(['path.user_id type']);
  expect(errorsOf(await send('GET', `cookies/${token}/consents?limit=abc`))).toEqual(['query.limit type']);
});
