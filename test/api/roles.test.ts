import { createAvow } from '@avow/sdk';
import type { Role } from '../../server/src/domain/types';
import {
  bearerOf,
  environmentOperations,
  exampleRequest,
  idsOf,
  makeId,
  ownedSite,
} from '../helpers/http/contract-requests';
import { raw } from '../helpers/http/raw';
import { useServer } from '../helpers/server';
import { member } from '../helpers/site/people';
import { INWARD } from '../helpers/webhooks/receiver';

const server = useServer({ variables: { ...INWARD, ROLE: 'api' } });

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
  const client = createAvow({ baseUrl: server.url, token: site.bearer });
  const { userId } = await member(server, { token: site.token, client }, role);
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
