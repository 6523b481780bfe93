import { useState } from 'react';
import { useNavigate } from 'react-router';
import { keys, type Output, useAction } from '../../app/data';
import { Allowed, useSite } from '../../app/site';
import { Button, Card, Forbidden, Form, PageHeader } from '../../ui';
import { useKeptDraft } from '../../ui/kept-draft';
import { Restored } from '../../ui/restored';
import { newHeaders } from './header-lines';
import { SecretDialog } from './secret';
import { checkFields, subscription, toDraft, type WebhookDraft, WebhookFields } from './webhook-fields';

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
    (api, typed: WebhookDraft) => {
      const { url, description, method } = typed;
      const headers = newHeaders(typed.headers);
      const given = {
        ...(description && { description }),
        ...(Object.keys(headers).length > 0 && { headers }),
      };
      const body = { url, method, events: subscription(typed), ...given };
      return api.createWebhook({ token, body });
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
        check={() => checkFields(draft.value)}
        onSubmit={() => create.run(draft.value)}
      >
        <WebhookFields draft={draft} />
      </Form>
      <SecretDialog title="The webhook is created" secret={made?.secret} onKept={go} />
    </>
  );
}
