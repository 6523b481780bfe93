import type { AnswerTemplate, DsarType } from '../types';

/** The language of the built-in templates. */
export const BUILTIN_LANGUAGE = 'en';

const opening = `Hello,

we received your request of {received} ({type}, reference {reference}).`;
const closing = `If you are not satisfied with this answer, please write to us. You may also lodge a complaint with a data protection authority, or go to court.

{controller}`;

/** What each answer must say, by the articles of the GDPR that it follows. */
const BODIES: Record<DsarType, readonly [name: string, body: string]> = {
  // Art. 15(1) to (3).
  access: [
    'Copy of the data',
    `With this answer you get a copy of the personal data that we hold about you.

We use these data for: [purposes].
The categories of data are: [categories].
We have passed them on to: [recipients; for recipients outside the EU also the safeguards].
We keep them for: [storage period, or how it is determined].
We have them from: [you, or the source].
We make no decision about you by automated means alone, profiling included. [Otherwise say how it is decided.]

You may ask us to correct or erase these data or to restrict their use, and you may object to their use.`,
  ],
  // Art. 16 and 19.
  rectification: [
    'Data corrected',
    `We have corrected your data as you asked: [what was changed].

We have told these recipients of your data about the correction: [recipients, or none].`,
  ],
  // Art. 17 and 19.
  erasure: [
    'Data erased',
    `We have erased the personal data that we held about you, and told those to whom we had passed them on.

We must keep these data: [data, the law that requires it, and until when. Otherwise remove this sentence.] They are used for nothing else. Copies in backups are overwritten within [period].`,
  ],
  // Art. 18 and 19.
  restriction: [
    'Use of the data restricted',
    `We have restricted the use of your data: we keep them, and do not use them otherwise without your consent, except for legal claims or to protect the rights of others.

We have told those to whom we had passed them on. We will tell you before the restriction ends.`,
  ],
  // Art. 20.
  portability: [
    'Data to take along',
    `With this answer you get the data that you gave us or that your use produced, in a common format that machines can read: [format].

[If they were sent to another controller: We have sent them to … as you asked.]`,
  ],
  // Art. 21.
  objection: [
    'Objection taken into account',
    `We have stopped using your data for the purpose that you object to: [purpose].

[For direct marketing: You will get no more advertising from us. To remember this, we keep your address on a list that is used for nothing else.]`,
  ],
  // Art. 22(3).
  automated_decision: [
    'Decision reviewed',
    `A person has now reviewed the decision that was made about you by automated means, and has considered what you told us.

The result is: [result].
The reasons are: [what was decisive, in plain words].`,
  ],
  // Art. 7(3).
  withdraw_consent: [
    'Consent withdrawn',
    `We have noted that you withdraw your consent, and have stopped everything that was based on it: [what].

What was done before stays lawful. [Data that were kept only because of your consent are erased.]`,
  ],
  // Art. 12 and 77.
  complaint: [
    'Answer to a complaint',
    `We have looked into your complaint. This is what we found: [findings].

This is what we have changed: [measures].

The authority that is competent for us is: [name and address].`,
  ],
};

/** The templates that come with the product: one for each type of request, in English. */
export const BUILTIN_TEMPLATES: readonly AnswerTemplate[] = Object.entries(BODIES).map(
  ([request_type, [name, body]]) => ({
    ...{ template_id: `builtin-${request_type}`, builtin: true, name, language: BUILTIN_LANGUAGE },
    ...{ request_type: request_type as DsarType, text: `${opening}\n\n${body}\n\n${closing}` },
    ...{ version: 0, updated_at: null },
  }),
);
