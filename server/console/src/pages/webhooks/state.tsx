import { Alert, FieldList, Time } from '../../ui';
import { eventsOf, many, type Webhook } from './names';

interface Of {
  webhook: Webhook;
}

/** What is wrong with a webhook, and what to do. */
export function Trouble({ webhook }: Of) {
  const { status, disabled_at, disabled_reason, last_error, held, retry_at, consecutive_failures } = webhook;
  const { paused_at } = webhook;
  if (status === 'disabled') {
    return (
      <Alert tone="bad" title="Disabled: nothing is sent">
        <p>
          {disabled_at !== null && (
            <>
              Since <Time at={disabled_at} />.{' '}
            </>
          )}
          {disabled_reason} {many(held)} {held === 1 ? 'delivery is' : 'deliveries are'} held.
        </p>
        {last_error !== null && <p>The last error: {last_error}</p>}
        <p>
          Fix the receiver, then reactivate: what is held is sent, oldest first, and what was tried before
          comes last. Deliveries that were given up can be sent again below, one by one or all at once.
        </p>
      </Alert>
    );
  }
  if (status === 'paused') {
    return (
      <Alert title="Paused: nothing is sent">
        <p>
          {paused_at !== null && (
            <>
              Since <Time at={paused_at} />.{' '}
            </>
          )}
          {many(held)} {held === 1 ? 'delivery is' : 'deliveries are'} held. Resume it, and what is held goes
          out, the oldest first; after 30 days it is deleted.
        </p>
      </Alert>
    );
  }
  if (status !== 'failing') return null;
  return (
    <Alert tone="warn" title={`Failing: ${consecutive_failures} of 5 failures in a row`}>
      <p>
        {last_error}
        {retry_at !== null && (
          <>
            {' '}
            Tried again not before <Time at={retry_at} />.
          </>
        )}
      </p>
    </Alert>
  );
}

const makerOf = ({ created_by }: Webhook): string => {
  if (created_by === null) return 'Not known: it is older than this note';
  const { email, role, key_id } = created_by;
  const by = key_id === undefined ? email : `${email}, with the API key ${key_id}`;
  if (role === null) return `${by}, who is no longer a member`;
  return role === 'owner' ? by : `${by}, who is no longer an owner`;
};

export const Facts = ({ webhook }: Of) => (
  <FieldList
    items={[
      ['Events', eventsOf(webhook)],
      ['Sent by', webhook.method],
      ['Own headers', webhook.header_names.join(', ')],
      ['Waiting', many(webhook.held + webhook.pending)],
      [
        'Last success',
        webhook.last_success_at === null ? 'None yet' : <Time key="ok" at={webhook.last_success_at} />,
      ],
      [
        'Old secret',
        webhook.previous_secret_until && (
          <>
            Still signs until <Time at={webhook.previous_secret_until} />
          </>
        ),
      ],
      ['Created', <Time key="at" at={webhook.created_at} />],
      ['Created by', makerOf(webhook)],
    ]}
  />
);
