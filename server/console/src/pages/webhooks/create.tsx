import './webhooks.css';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { keys, type Output, useAction } from '../../app/data';
import { Allowed, useSite } from '../../app/site';
import { Button, Card, Forbidden, Form, PageHeader } from '../../ui';
import { useKeptDraft } from '../../ui/kept-draft';
import { Restored } from '../../ui/restored';
import { SecretDialog } from './secret';
import { checkEvents, subscription, toDraft, type WebhookDraft, WebhookFields } from './webhook-fields';

/** A new webhook; its secret is shown once. */
export default function NewWebhook() {
  const { path } = useSite();
  return (
    <>
      <PageHeader title="New webhook" back={[path('webhooks'), 'Webhooks']} />
      <Allowed to="owner" otherwise={<Forbidden>Only owners can create webhooks.</Forbidden>}>
        <Card>
          <Fields />
        </Card>
      </Allowed>
    </>
  );
}

function Fields() {
  const { token, path } = useSite();
  const navigate = useNavigate();
  const [made, show] = useState<Output<'createWebhook'>>();
  const draft = useKeptDraft(`webhook:new:${token}`, toDraft());
  const create = useAction(
    (api, { url, description, method, ...events }: WebhookDraft) => {
      const given = { url, method, events: subscription({ url, description, method, ...events }) };
      return api.createWebhook({ token, body: { ...given, ...(description && { description }) } });
    },
    {
      changes: [keys.site(token, 'webhooks')],
      onDone: (webhook) => {
        draft.discard();
        show(webhook);
      },
    },
  );
  const go = () => navigate(path(`webhooks/${made?.webhook_id}`), { replace: true });
  return (
    <>
      <Restored draft={draft} />
      <Form
        action={create}
        submit="Create"
        extra={<Button onPress={() => navigate(path('webhooks'))}>Cancel</Button>}
        check={() => checkEvents(draft.value)}
        onSubmit={() => create.run(draft.value)}
      >
        <WebhookFields draft={draft} />
      </Form>
      <SecretDialog title="The webhook is created" secret={made?.secret} onKept={go} />
    </>
  );
}
