import { randomUUID } from 'node:crypto';
import type { TestServer } from '../server';
import { allRows } from '../site/rows';
import { ownedSite } from './contract-requests';
import { type RawRequest, raw } from './raw';

export const JSON_TYPE = 'application/json';
export const decision = () => ({ session_id: randomUUID(), decision: 'accept_all' });
export const site = { name: 'Shop', domain: 'shop.example.com' };

/** A visitor operation and an owner operation that take a body. */
export interface Targets {
  visitor: { path: string; headers: Record<string, string> };
  owner: { path: string; headers: Record<string, string> };
}

export async function targetsOf(server: TestServer): Promise<Targets> {
  const { token, bearer } = await ownedSite(server);
  return {
    visitor: { path: `/api/consents/${token}/log`, headers: {} },
    owner: { path: '/api/environments', headers: { Authorization: `Bearer ${bearer}` } },
  };
}

/** Sends one body to both; both must refuse it alike and store nothing. Answers status and code. */
export async function refusedBy(
  server: TestServer,
  { visitor, owner }: Targets,
  body: string | Buffer | undefined,
  headers: Record<string, string> = { 'Content-Type': JSON_TYPE },
  more: Partial<RawRequest> = {},
) {
  const before = await allRows(server.service.context.db);
  const sent = { method: 'POST', ...(body !== undefined && { body }), ...more };
  const one = await raw(server.url, { ...sent, path: visitor.path, headers });
  const two = await raw(server.url, { ...sent, path: owner.path, headers: { ...headers, ...owner.headers } });
  expect(await allRows(server.service.context.db)).toEqual(before);
  const outcome = [one.status, one.json.data.code];
  expect([two.status, two.json.data.code]).toEqual(outcome);
  return outcome;
}
