import type { Input, Output } from '@avow/sdk';
import type { TestServer } from '../server';

type Submitted = Partial<Input<'submitDsar'>['body']>;

/** A data-subject request of a visitor. */
export const submit = (
  server: TestServer,
  token: string,
  body: Submitted = {},
): Promise<Output<'submitDsar'>> =>
  server.visitor.submitDsar({
    token,
    body: { request_type: 'erasure', email: 'visitor@example.com', ...body },
  });

/** What must be said of a breach, known for an hour. */
export const breachInput = (
  given: Partial<Input<'createBreach'>['body']> = {},
): Input<'createBreach'>['body'] => ({
  title: 'Lost laptop',
  nature: 'Confidentiality',
  description: 'A laptop was lost on a train.',
  severity: 'high',
  aware_at: fromNow(-HOUR),
  data_categories: ['names'],
  subject_categories: ['customers'],
  consequences: 'Unknown.',
  measures: 'Remote wipe.',
  ...given,
});

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** An instant so many milliseconds from now, as the contract writes it. */
export const fromNow = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();
