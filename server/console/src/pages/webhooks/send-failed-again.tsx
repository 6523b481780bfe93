import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keys, type Output, useAction, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';
import { Alert, Button, count, DateTimeField, Dialog, Form, Select, useDraft } from '../../ui';
import { EVENTS, type EventName, hostOf, type Webhook } from './names';

const DAY_MS = 86_400_000;
/** How often a running redelivery is read again, in milliseconds. */
const WATCH = 1_000;

/** Sends all deliveries again that have failed since an instant: of one webhook, or of all. */
export function SendFailedAgain({ webhook }: { webhook?: Webhook }) {
  const { may, token } = useSite();
  const client = useQueryClient();
  const [isOpen, open] = useState(false);
  // Deliveries that were queued while the dialog was open are waiting now.
  const close = () => {
    open(false);
    void client.invalidateQueries({ queryKey: keys.site(token, 'deliveries') });
  };
  if (!may('operator')) return null;
  return (
    <>
      <Button small={webhook !== undefined} onPress={() => open(true)}>
        Send failed again
      </Button>
      <Dialog isOpen={isOpen} title="Send failed deliveries again" onClose={close}>
        {isOpen && <Fields webhook={webhook} close={close} />}
      </Dialog>
    </>
  );
}

function Fields({ webhook, close }: { webhook: Webhook | undefined; close: () => void }) {
  const { token } = useSite();
  const [begun, show] = useState<Output<'redeliverFailed'>>();
  const [yesterday] = useState(() => new Date(Date.now() - DAY_MS).toISOString());
  const draft = useDraft({ since: yesterday, event: '' });
  const start = useAction(
    (api, { since, event }: { since: string; event: string }) =>
      api.redeliverFailed({
        token,
        body: {
          since,
          ...(event !== '' && { event: event as EventName }),
          ...(webhook && { webhook_id: webhook.webhook_id }),
        },
      }),
    { onDone: show, changes: [keys.site(token, 'webhooks'), keys.site(token, 'deliveries')] },
  );
  if (begun !== undefined) return <Progress begun={begun} close={close} />;
  return (
    <Form
      action={start}
      submit="Send again"
      extra={<Button onPress={close}>Cancel</Button>}
      onSubmit={() => start.run(draft.value)}
    >
      <p>
        All deliveries to {webhook ? hostOf(webhook) : 'every webhook'} that have failed since then are queued
        again, with five new attempts. Those that have reached their receiver in the meantime are left out.
      </p>
      <DateTimeField
        label="Failed since"
        {...draft.bind('since')}
        description="Deliveries are kept for 30 days."
        isRequired
      />
      <Select
        label="Event"
        {...draft.bind('event')}
        options={[['', 'All'], ...EVENTS.map(([key]) => [key, key] as const)]}
      />
    </Form>
  );
}

function Progress({ begun, close }: { begun: Output<'redeliverFailed'>; close: () => void }) {
  const { token } = useSite();
  const { redelivery_id } = begun;
  const [done, end] = useState(false);
  const { data = begun } = useAnswer(
    keys.site(token, 'redeliveries', redelivery_id),
    (api, signal) => api.getRedelivery({ token, redelivery_id }, { signal }),
    { refetchInterval: done ? false : WATCH },
  );
  if (data.status === 'done' && !done) end(true);
  const number = `${count(data.deliveries)} ${data.deliveries === 1 ? 'delivery' : 'deliveries'}`;
  return (
    <div className="stack" aria-live="polite">
      {data.status === 'running' ? (
        <Alert title="Queuing deliveries">{number} so far. It continues when you close this dialog.</Alert>
      ) : (
        <Alert tone="good" title={data.deliveries === 0 ? 'No failed deliveries' : 'Deliveries queued again'}>
          {data.deliveries === 0
            ? 'No delivery has failed since then.'
            : `${number} will be sent, oldest first.`}
        </Alert>
      )}
      <div className="row end">
        <Button onPress={close}>Close</Button>
      </div>
    </div>
  );
}
