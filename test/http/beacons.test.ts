import { randomUUID } from 'node:crypto';
import { contract, exampleBody, exampleRequest, exampleStatus } from '../helpers/http/contract-requests';
import { raw } from '../helpers/http/raw';
import { useServer } from '../helpers/server';

const server = useServer();

const writes = contract.operations.filter(({ visitor, method }) => visitor && method === 'POST');

test('every write of a visitor takes text/plain, so that sendBeacon needs no pre-flight', () => {
  for (const { id, bodyTypes } of writes)
    expect([id, bodyTypes]).toEqual([id, ['application/json', 'text/plain']]);
});

test.each(writes)('$id: text/plain holding JSON means the same', async (operation) => {
  const { token } = await server.site();
  const request = exampleRequest(operation, { token });
  for (const type of ['text/plain', 'text/plain;charset=UTF-8', 'TEXT/PLAIN; Charset="utf-8"']) {
    const body = JSON.stringify({
      ...exampleBody(operation),
      ...(operation.id === 'recordVisitorConsent' && { event_id: randomUUID() }),
    });
    const answer = await raw(server.url, { ...request, headers: { 'Content-Type': type }, body });
    expect([type, answer.status]).toEqual([type, exampleStatus(operation)]);
    expect(answer.headers['access-control-allow-origin']).toBe('*');
  }
});

test.each(writes)('$id: text/plain is checked like JSON', async (operation) => {
  const { token } = await server.site();
  const request = exampleRequest(operation, { token });
  for (const type of operation.bodyTypes) {
    const body = JSON.stringify({ ...exampleBody(operation), extra: 1, session_id: 'x' });
    const answer = await raw(server.url, { ...request, headers: { 'Content-Type': type }, body });
    expect([answer.status, answer.json.data.code]).toEqual([400, 'validation_failed']);
    expect(answer.json.data.errors.map(({ path }: { path: string }) => path)).toContain('body.extra');
    const broken = await raw(server.url, { ...request, headers: { 'Content-Type': type }, body: '{"a":' });
    expect([broken.status, broken.json.data.code]).toEqual([400, 'invalid_json']);
  }
});
