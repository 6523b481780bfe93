import { createHash } from 'node:crypto';
import { PART_BYTES } from '../../server/src/db/file-parts';
import { useServer } from '../helpers/server';
import { begin, someRequest } from '../helpers/site/attachments';

const server = useServer({ variables: { ROLE: 'api', FILES_OF_SITE_MB: '5' } });
const MIB = 1024 * 1024;

/** A request, and how files of its answer are begun and sent. */
async function place() {
  const { client, token } = await server.site();
  const request_id = await someRequest(server.visitor, token);
  const at = { token, request_id };
  const create = (bytes: number) =>
    client.createAnswerFile({ ...at, body: { name: 'data.txt', content_type: 'text/plain', bytes } });
  const put = (file_id: string, part: number, content: Buffer) =>
    client.putAnswerFilePart({ ...at, file_id, part, body: { content: content.toString('base64') } });
  return { client, at, create, put };
}

test('a complete file is read as a whole once; the same bytes again change nothing, others are refused', async () => {
  const { client, at, create, put } = await place();
  const content = Buffer.alloc(PART_BYTES + 1, 'a');
  const { file_id } = await create(content.length);
  const { fileStore, db } = server.service.context;
  const read = jest.spyOn(fileStore, 'sha256');
  await put(file_id, 0, content.subarray(0, PART_BYTES));
  // Until it is complete, a part may be replaced.
  await put(file_id, 0, Buffer.alloc(PART_BYTES, 'b'));
  await put(file_id, 0, content.subarray(0, PART_BYTES));
  const whole = await put(file_id, 1, content.subarray(PART_BYTES));
  expect(whole.sha256).toBe(createHash('sha256').update(content).digest('hex'));
  const { revision } = await db('answer_files').where({ file_id }).first('revision');
  for (let n = 0; n < 3; n += 1)
    expect((await put(file_id, 1, content.subarray(PART_BYTES))).sha256).toBe(whole.sha256);
  await expect(put(file_id, 1, Buffer.from('b'))).rejects.toMatchObject({
    ...{ status: 409, message: expect.stringContaining('add another one, or delete it') },
  });
  expect(read).toHaveBeenCalledTimes(1);
  expect(await db('answer_files').where({ file_id }).first('revision')).toEqual({ revision });
  expect((await client.listAnswerFiles(at)).items).toMatchObject([{ sha256: whole.sha256 }]);
  read.mockRestore();
});

test('while nobody knows the hash of a complete file, its parts cannot be exchanged either', async () => {
  const { create, put } = await place();
  const { file_id } = await create(2);
  await put(file_id, 0, Buffer.from('ab'));
  const { db } = server.service.context;
  await db('answer_files').where({ file_id }).update({ sha256: null });
  await expect(put(file_id, 0, Buffer.from('cd'))).rejects.toMatchObject({ status: 409 });
  expect((await put(file_id, 0, Buffer.from('ab'))).sha256).toMatch(/^[0-9a-f]{64}$/);
});

test('attachments and files of answers share the bound of a site', async () => {
  const { client, at, create } = await place();
  await create(3 * MIB);
  await begin(client, at, MIB);
  const full = { status: 409, message: expect.stringContaining('5 MiB') };
  await expect(create(MIB + 1)).rejects.toMatchObject(full);
  await expect(begin(client, at, MIB + 1)).rejects.toMatchObject(full);
  await create(MIB);
  await expect(begin(client, at, 1)).rejects.toMatchObject(full);
});
