import { useServer } from '../helpers/server';
import { rowsIn } from '../helpers/site/people';

// Without a mail server mails are kept as what would have been sent.
const server = useServer({ variables: { ROLE: 'api' } });

test('an erasure says how many mails and files of answers went, as its preview does', async () => {
  const { client, token } = await server.site();
  const email = 'ada@example.com';
  const submit = async (to = email) =>
    (
      await server.visitor.submitDsar({
        token,
        body: { request_type: 'access', email: to },
      })
    ).request_id;
  const request_id = await submit();
  // A spelling of the same address, and somebody else.
  await submit('ADA@example.com');
  await submit('somebody@example.com');
  for (const name of ['a.txt', 'b.txt']) {
    const body = { name, content_type: 'text/plain' as const, bytes: 2 };
    const { file_id } = await client.createAnswerFile({ token, request_id, body });
    await client.putAnswerFilePart({ token, request_id, file_id, part: 0, body: { content: 'aGk=' } });
  }
  await client.resolveDsar({ token, request_id, body: { resolution: 'fulfilled' } });
  const erase = async (more: object = {}) => {
    const { erased } = await client.eraseSubject({ token, body: { subject: { email }, ...more } });
    return Object.fromEntries(erased.map(({ kind, count }) => [kind, count]));
  };
  expect(await erase({ form_consents_only: true })).toMatchObject({ mails: 0, answer_files: 0 });
  // Two that a request came, and the answer.
  expect(await erase({ preview: true })).toMatchObject({ mails: 3, answer_files: 2 });
  expect(await rowsIn(server, 'answer_files', token)).toHaveLength(2);
  expect(await erase()).toMatchObject({ mails: 3, answer_files: 2, requests: 0 });
  expect(await rowsIn(server, 'mails', token)).toHaveLength(1);
  expect(await rowsIn(server, 'answer_files', token)).toEqual([]);
  expect(await rowsIn(server, 'answer_file_parts', token)).toEqual([]);
  expect(await erase()).toMatchObject({ mails: 0, answer_files: 0 });
  const { items } = await client.listErasures({ token });
  expect(items.flatMap(({ erased }) => erased)).toEqual(
    expect.arrayContaining([
      { kind: 'mails', count: 3 },
      { kind: 'answer_files', count: 2 },
    ]),
  );
});
