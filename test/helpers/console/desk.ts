import { randomUUID } from 'node:crypto';
import type { Input } from '@avow/sdk';
import type { TestServer } from '../server';
import type { Someone } from './console';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const fromNow = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();

type DsarBody = Input<'submitDsar'>['body'];

/** Who asks, for what, how many days ago, and how far it has come. */
const REQUESTS: readonly (readonly [DsarBody, number, 'new' | 'started' | 'extended' | 'resolved'])[] = [
  [
    {
      request_type: 'access',
      email: 'lotte.janssen@example.com',
      name: 'Lotte Janssen',
      message:
        'Dear Sir or Madam,\n\nplease send me everything that you have stored about me, including orders and newsletters.\n\nKind regards\nLotte Janssen',
      language: 'nl',
    },
    33,
    'new',
  ],
  [
    { request_type: 'erasure', email: 'j.moreau@example.com', name: 'Jules Moreau', language: 'fr' },
    26,
    'started',
  ],
  [
    {
      request_type: 'portability',
      email: 'k.brandt@example.com',
      name: 'Katrin Brandt',
      message: 'Bitte als CSV.',
      language: 'de',
    },
    21,
    'extended',
  ],
  [
    { request_type: 'objection', email: 'no-more-mail@example.com', message: 'Stop the newsletter.' },
    4,
    'new',
  ],
  [{ request_type: 'rectification', email: 'emil.olsen@example.com', name: 'Emil Olsen' }, 40, 'resolved'],
  [
    { request_type: 'erasure', email: 'j.moreau@example.com', name: 'Jules Moreau', language: 'fr' },
    2,
    'new',
  ],
];

/** Requests in every state, some of them old; answers their ids in the order above. */
export async function fillRequests(
  server: TestServer,
  { client }: Someone,
  token: string,
): Promise<string[]> {
  const ids: string[] = [];
  for (const [body, days, stage] of REQUESTS) {
    const { request_id } = await server.visitor.submitDsar({ token, body });
    ids.push(request_id);
    await backdate(server, request_id, days);
    if (stage !== 'new')
      await client.startDsar({ token, request_id, body: { note: 'Identity verified by e-mail.' } });
    if (stage === 'extended') {
      await client.extendDsar({
        token,
        request_id,
        body: { reason: 'Data have to be collected from three systems.' },
      });
    }
    if (stage === 'resolved') {
      const note = 'The address was corrected in shop and newsletter; confirmed by e-mail.';
      await client.resolveDsar({ token, request_id, body: { resolution: 'fulfilled', note } });
    }
  }
  return ids;
}

/** Makes a request older than it is. */
export async function backdate(server: TestServer, request_id: string, days: number): Promise<void> {
  const rows = server.service.context.db('dsar_requests').where({ request_id });
  const [{ history }] = (await rows.clone().select('history')) as [{ history: object[] }];
  const at = fromNow(-days * DAY - HOUR);
  await rows.update({
    created_at: at,
    due_at: fromNow((30 - days) * DAY - HOUR),
    history: JSON.stringify(history.map((line) => ({ ...line, at }))),
  });
}

const hoursBefore = (instant: string, hours: number): string =>
  new Date(Date.parse(instant) - hours * HOUR).toISOString();

/** A breach as an operator would write it down. */
export const breachBody = (
  given: Partial<Input<'createBreach'>['body']> = {},
): Input<'createBreach'>['body'] => ({
  title: 'Order export sent to the wrong supplier',
  nature: 'Confidentiality: a file was attached to a message to the wrong recipient.',
  description: 'The weekly order export was sent to a stationery supplier instead of the logistics partner.',
  severity: 'medium',
  aware_at: fromNow(-20 * HOUR),
  occurred_from: hoursBefore(given.aware_at ?? fromNow(-20 * HOUR), 6),
  occurred_to: given.aware_at ?? fromNow(-20 * HOUR),
  data_categories: ['names', 'delivery addresses', 'order contents'],
  subject_categories: ['customers'],
  affected_subjects: 412,
  affected_records: 530,
  consequences: 'Strangers know what customers read and where they live; unwanted advertising.',
  measures:
    'The recipient deleted the file and confirmed it in writing; exports now need a second pair of eyes.',
  ...given,
});

/** Breaches in every state; answers their ids. */
export async function fillBreaches({ client }: Someone, token: string): Promise<string[]> {
  const create = async (body: Input<'createBreach'>['body']) =>
    (await client.createBreach({ token, body })).breach_id;
  const reported = await create(
    breachBody({ title: 'Lost laptop of the sales team', severity: 'low', aware_at: fromNow(-30 * DAY) }),
  );
  await client.reportBreach({
    token,
    breach_id: reported,
    body: {
      reported_at: fromNow(-29 * DAY),
      authority: 'Der Hamburgische Beauftragte für Datenschutz und Informationsfreiheit',
      authority_reference: 'DS-2026-0417',
    },
  });
  const overdue = await create(
    breachBody({
      title: 'Customer accounts taken over with leaked passwords',
      severity: 'critical',
      aware_at: fromNow(-75 * HOUR),
      affected_subjects: null,
      affected_records: null,
    }),
  );
  return [reported, overdue, await create(breachBody())];
}

/** A visitor's decision, and another one of the same visitor later. */
export async function decideTwice(
  server: TestServer,
  token: string,
): Promise<{ session_id: string; first: string; second: string }> {
  const session_id = randomUUID();
  const context = { page_url: 'https://harbour-books.example/crime-novels', language: 'en' };
  const first = await server.visitor.logConsent({
    token,
    body: { session_id, decision: 'accept_all', ...context },
  });
  const second = await server.visitor.logConsent({
    token,
    body: {
      session_id,
      decision: 'save_preferences',
      categories: { functional: true, analytics: false, marketing: false },
      method: 'settings',
      ...context,
    },
  });
  return { session_id, first: first.consent_id, second: second.consent_id };
}
