import type { Input } from '@avow/sdk';
import { keys, useAction } from '../../app/data';
import { useSite } from '../../app/site';
import { Button, Form } from '../../ui';
import { useKeptDraft } from '../../ui/kept-draft';
import { Restored } from '../../ui/restored';
import { readHeaders } from './header-lines';
import type { Webhook } from './names';
import { checkFields, subscription, toDraft, WebhookFields } from './webhook-fields';

/** Changes a webhook; sends only changed fields. */
export function EditForm({ webhook, close }: { webhook: Webhook; close: () => void }) {
  const { token } = useSite();
  const draft = useKeptDraft(`webhook:${webhook.webhook_id}`, toDraft(webhook));
  const update = useAction(
    (api, body: Input<'updateWebhook'>['body']) =>
      api.updateWebhook({ token, webhook_id: webhook.webhook_id, body }),
    {
      success: 'The webhook is saved.',
      changes: [keys.site(token, 'webhooks')],
      onDone: () => {
        draft.discard();
        close();
      },
    },
  );
  const save = () => {
    const { url, description, method } = draft.value;
    const facts = { url, method, description: description || null };
    const all = { ...facts, events: subscription(draft.value), headers: readHeaders(draft.value.headers) };
    const isChanged = (name: keyof typeof all) =>
      draft.changed.some((one) => one === name || (name === 'events' && one === 'which'));
    const body = Object.fromEntries(
      Object.entries(all).filter(([name]) => isChanged(name as keyof typeof all)),
    );
    if (Object.keys(body).length === 0) close();
    else update.run(body);
  };
  return (
    <>
      <Restored draft={draft} />
      <Form
        action={update}
        submit="Save"
        extra={<Button onPress={close}>Cancel</Button>}
        check={() => checkFields(draft.value)}
        onSubmit={save}
      >
        <WebhookFields draft={draft} present={webhook.header_names} />
      </Form>
    </>
  );
}
