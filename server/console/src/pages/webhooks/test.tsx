import { useState } from 'react';
import { keys, useAction } from '../../app/data';
import { useSite } from '../../app/site';
import { Button, Form, Select, useDraft } from '../../ui';
import { Exchange } from './exchange';
import { type Delivery, EVENTS, type EventName, type Webhook } from './names';

/** Sends an example now, and shows what came of it. Tests never count towards the five failures. */
export function TestForm({ webhook, close }: { webhook: Webhook; close: () => void }) {
  const { token } = useSite();
  const names = webhook.events === '*' ? EVENTS.map(([event]) => event) : webhook.events;
  const draft = useDraft({ event: (webhook.events === '*' ? 'dsar.created' : names[0]) as EventName });
  const [result, show] = useState<Delivery>();
  const test = useAction(
    (api, event: EventName) => api.testWebhook({ token, webhook_id: webhook.webhook_id, body: { event } }),
    {
      onDone: show,
      changes: [keys.site(token, 'deliveries', webhook.webhook_id), keys.site(token, 'webhooks')],
    },
  );
  return (
    <>
      <Form
        action={test}
        submit="Send now"
        extra={<Button onPress={close}>Close</Button>}
        onSubmit={() => test.run(draft.value.event)}
      >
        <Select
          label="Event"
          {...draft.bind('event')}
          options={names.map((event) => [event, event])}
          isRequired
        />
        <p className="hint">
          An example with invented data, signed like any other. It never counts as a failure.
        </p>
      </Form>
      {result !== undefined && (
        <div aria-live="polite">
          <Exchange delivery={result} webhook={webhook} />
        </div>
      )}
    </>
  );
}
