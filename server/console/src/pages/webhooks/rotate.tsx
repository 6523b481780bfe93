import { useState } from 'react';
import { keys, useAction } from '../../app/data';
import { useSite } from '../../app/site';
import { Alert, Button, Form, RadioGroup, Time, useDraft } from '../../ui';
import type { Webhook } from './names';

const OVERLAPS = [
  ['24', 'One day', 'Until then, both secrets sign: give the new one to the receiver in this time.'],
  ['168', 'One week', 'The maximum.'],
  ['0', 'Not at all', 'Use this if the old secret has leaked: it stops signing now.'],
] as const;

/** A new secret; the old one keeps signing for a while. */
export function RotateForm({
  webhook,
  close,
  show,
}: {
  webhook: Webhook;
  close: () => void;
  show: (secret: string) => void;
}) {
  const { token } = useSite();
  // While an older secret still signs, a third one is only possible without an overlap.
  const running = webhook.previous_secret_until !== null;
  const draft = useDraft<{ overlap_hours: '24' | '168' | '0' }>({ overlap_hours: running ? '0' : '24' });
  // The same key for each click, so that a repeated call after a lost answer returns the same secret.
  const [attempt] = useState(() => crypto.getRandomValues(new Uint32Array(4)).join('-'));
  const rotate = useAction(
    (api, overlap_hours: number) =>
      api.rotateWebhookSecret(
        { token, webhook_id: webhook.webhook_id, body: { overlap_hours } },
        { idempotencyKey: `${attempt}-${overlap_hours}` },
      ),
    {
      changes: [keys.site(token, 'webhooks')],
      onDone: ({ secret }) => {
        close();
        show(secret);
      },
    },
  );
  return (
    <Form
      action={rotate}
      submit="Make a new secret"
      extra={<Button onPress={close}>Cancel</Button>}
      onSubmit={() => rotate.run(Number(draft.value.overlap_hours))}
    >
      {webhook.previous_secret_until !== null && (
        <Alert tone="warn">
          An older secret still signs until <Time at={webhook.previous_secret_until} />. Wait for that, or
          make a new one that ends it now.
        </Alert>
      )}
      <RadioGroup
        label="The old secret keeps signing for"
        {...draft.bind('overlap_hours')}
        options={running ? OVERLAPS.slice(2) : OVERLAPS}
      />
    </Form>
  );
}
