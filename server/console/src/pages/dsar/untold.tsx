import type { Schemas } from '../../app/data';
import { Alert, Time } from '../../ui';
import { NOT_MAILED } from './mailing';

type Dsar = Schemas['DsarProof'];
type Undelivered = Schemas['DsarUndelivered'];

const WHAT: Readonly<Record<Undelivered['duty'], string>> = {
  answer: 'The answer reached nobody',
  extension: 'The person was not mailed that the deadline is extended',
  confirmation: 'The person was not mailed the link that confirms the address',
};

/** What the person does not know, and should. */
export default function Untold({ dsar }: { dsar: Dsar }) {
  return (
    <>
      {dsar.disowned_at !== null && (
        <Alert tone="warn" title="Perhaps somebody else made this request">
          {NOT_MAILED.disowned} They said so <Time at={dsar.disowned_at} />.
        </Alert>
      )}
      {dsar.undelivered.map(({ duty, state, error, at, mail_id }) => (
        <Alert key={mail_id} tone="bad" title={WHAT[duty]}>
          {state === 'unsent' ? 'No mail server is configured.' : error} (<Time at={at} />){' '}
          {duty === 'confirmation' &&
            'They cannot confirm it, and the deadline runs: identify them in another way, such as by a reply from the address or a call, note how in a comment, and answer.'}
          {duty !== 'confirmation' && dsar.disowned_at === null && 'Tell the person in another way.'}
          {dsar.disowned_at === null &&
            duty === 'answer' &&
            ' To record how you did, reopen the request and resolve it without a mail.'}
        </Alert>
      ))}
    </>
  );
}
