import type { TestServer } from '../server';

const KEYS = { consents: 'consent_id', form_consents: 'form_consent_id' } as const;

/** Records of a site half a millisecond later than the log says: all of them, or some. */
export async function makeFiner(
  { service: { context } }: TestServer,
  table: keyof typeof KEYS,
  environment_id: string,
  ids?: readonly string[],
): Promise<void> {
  const { db } = context;
  const rows = db(table).where({ environment_id });
  if (ids !== undefined) rows.whereIn(KEYS[table], [...ids]);
  await rows.update({ recorded_at: db.raw("recorded_at + interval '500 microseconds'") });
}

/** A form consent that a visitor gives. */
export const giveForm = ({ visitor }: TestServer, token: string) =>
  visitor.recordFormConsent({
    token,
    body: {
      ...{ form_id: 'news', form_url: 'https://shop.example.com/', subject: { email: 'ada@example.com' } },
      statements: [{ key: 'b', text: 'Yes.', accepted: true }],
    },
  });
