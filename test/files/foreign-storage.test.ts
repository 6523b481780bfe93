import { createHash } from 'node:crypto';
import { sweepObjects } from '../../server/src/files/sweep';
import { startServer } from '../helpers/server';
import { attach, PDF, someRequest } from '../helpers/site/attachments';
import { foreignStorage } from '../helpers/storage/foreign';

jest.setTimeout(60_000);

if (foreignStorage === undefined)
  console.warn(
    'SKIPPED: no storage that others wrote; TEST_S3RVER=FOLDER names one where `npm install s3rver` has run',
  );

// s3rver takes signatures of version 4 without comparing them; test/files/bucket.test.ts judges those.
(foreignStorage ? test : test.skip)(
  'files go into the storage that others wrote, come back, and leave it',
  async () => {
    const storage = await (foreignStorage as NonNullable<typeof foreignStorage>)();
    const server = await startServer({ variables: { ...storage.variables, ROLE: 'api' } });
    try {
      const { client, token } = await server.site();
      const at = { token, request_id: await someRequest(server.visitor, token) };
      const content = Buffer.concat([PDF, Buffer.alloc(700_000, 'identity card ')]);
      const { attachment_id, sha256 } = await attach(client, at, content);
      const download = await client.downloadAttachment({ ...at, attachment_id });
      expect(Buffer.from(await download.arrayBuffer()).equals(content)).toBe(true);
      expect(sha256).toBe(createHash('sha256').update(content).digest('hex'));
      await client.deleteAttachment({ ...at, attachment_id });
      const { db, fileStore } = server.service.context;
      expect(await sweepObjects(db, fileStore)).toBe(2);
      expect(await sweepObjects(db, fileStore)).toBe(0);
    } finally {
      await server.stop();
      await storage.stop();
    }
  },
);
