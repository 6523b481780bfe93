import type { Role } from '../../server/src/domain/types';
import { INWARD } from '../helpers/receiver';
import { startServer, type TestServer } from '../helpers/server';
import {
  bearerOf,
  environmentOperations,
  exampleRequest,
  idsOf,
  makeId,
  ownedSite,
} from './support/contract-requests';
import { raw } from './support/raw';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ variables: { ...INWARD, ROLE: 'api' } });
});
afterAll(() => server.stop());

const ROLES: readonly Role[] = ['viewer', 'operator', 'owner'];
const table = environmentOperations.flatMap((operation) =>
  ROLES.map((role) => {
    const allowed = ROLES.indexOf(role) >= ROLES.indexOf(operation.role as Role);
    return { id: operation.id, role, outcome: allowed ? 'may' : 'may not', allowed, operation };
  }),
);

test('the contract names the least role of every operation on an environment', () => {
  for (const { id, role } of environmentOperations)
    expect([id, ROLES.includes(role as Role)]).toEqual([id, true]);
});

test.each(table)('$role $outcome $id', async ({ operation, role, allowed }) => {
  const site = await ownedSite(server);
  const { userId, email } = await server.person();
  const body = JSON.stringify({ email, role });
  const added = await raw(server.url, {
    method: 'POST',
    path: `/api/environments/${site.token}/members`,
    headers: { Authorization: `Bearer ${site.bearer}`, 'Content-Type': 'application/json' },
    body,
  });
  expect(added.status).toBe(201);
  const path: Record<string, string> = { token: site.token };
  let made = true;
  for (const name of idsOf(operation)) {
    const id = await makeId(server, site, name);
    made &&= id !== undefined;
    path[name] = id ?? '0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11';
  }
  const answer = await raw(server.url, exampleRequest(operation, path, await bearerOf(server, userId)));
  if (allowed) {
    // 409: the record's state may not allow it, but the role does.
    expect(made ? [operation.status, 409] : [operation.status, 404, 409]).toContain(answer.status);
  } else {
    expect([answer.status, answer.json.data.code]).toEqual([403, 'forbidden']);
  }
});
