import { tellMembers } from '../../server/src/jobs/notices';
import { addTrigger } from '../helpers/cluster/instruments';
import { HOUR, notedFor, siteId } from '../helpers/mail/notices';
import { startServer, type TestServer } from '../helpers/server';

jest.setTimeout(60_000);

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ variables: { ROLE: 'api' } });
});
afterAll(() => server?.stop());

const db = () => server.service.context.db;

/** A site with a breach that has been known for 30 hours. */
async function site() {
  const made = await server.site();
  const { client, token } = made;
  const at = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString();
  await client.createBreach({
    token,
    body: { title: 'Lost laptop', description: 'A laptop was lost.', aware_at: at(30) },
  });
  return { ...made, id: await siteId(server, token) };
}

/** From now on nothing of the site can be written there. */
const spoil = (table: 'notices' | 'notice_marks', id: string): Promise<() => Promise<void>> =>
  addTrigger(server.databaseUrl, {
    ...{ name: `spoil_${table}`, table, event: 'BEFORE INSERT' },
    body: `IF NEW.environment_id = '${id}' AND to_jsonb(NEW) ->> 'name' IS DISTINCT FROM 'failed'
      THEN RAISE 'spoilt' USING ERRCODE = '22P02'; END IF; RETURN NEW;`,
  });

const tell = (later = 0): Promise<void> => tellMembers(server.service.context, new Date(Date.now() + later));

test.each(['notices', 'notice_marks'] as const)(
  'a site whose %s cannot be written keeps none of the others from being told, and is told once it can',
  async (table) => {
    const [spoilt, fine] = [await site(), await site()];
    const mend = await spoil(table, spoilt.id);
    const seen = async (): Promise<unknown[]> =>
      db()('notice_marks').where({ environment_id: spoilt.id, name: 'seen' }).select('name');
    try {
      await expect(tell()).rejects.toThrow(/^1 parts of the notices/);
      expect((await notedFor(server, fine)).map(({ topic }) => topic)).toEqual(['breach_clock']);
      // For an hour others come first; what is told of the site otherwise is.
      if (table === 'notice_marks') {
        await tell(60_000);
        expect(await notedFor(server, spoilt)).toHaveLength(1);
      }
    } finally {
      await mend();
    }
    await tell(HOUR + 60_000);
    expect((await notedFor(server, spoilt)).map(({ topic }) => topic)).toEqual(['breach_clock']);
    expect(await seen()).toHaveLength(1);
  },
);
