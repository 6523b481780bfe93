import { useState } from 'react';
import { useNavigate } from 'react-router';
import { keys, useAction } from '../../app/data';
import { describe } from '../../app/errors';
import { useSite } from '../../app/site';
import { Button, ConfirmDialog, Dialog } from '../../ui';
import { EditForm } from './edit';
import { hostOf, type Webhook } from './names';
import { RotateForm } from './rotate';
import { SecretDialog } from './secret';
import { TestForm } from './test';
import style from './webhooks.module.css';

type DialogName = 'edit' | 'test' | 'rotate';

const TITLES: Record<DialogName, string> = {
  edit: 'Edit the webhook',
  test: 'Send a test',
  rotate: 'Make a new secret',
};

/** The actions of an owner on a webhook. */
export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const { may } = useSite();
  const [dialog, open] = useState<DialogName>();
  const [secret, show] = useState<string>();
  const close = () => open(undefined);
  if (!may('owner')) return <p className="hint">Only owners can change webhooks.</p>;
  return (
    <div className={style.dangerRow}>
      <Button onPress={() => open('test')}>Send a test</Button>
      <Button onPress={() => open('edit')}>Edit</Button>
      <Button onPress={() => open('rotate')}>New secret</Button>
      <Pause webhook={webhook} />
      <Delete webhook={webhook} />
      <Dialog
        isOpen={dialog !== undefined}
        title={dialog ? TITLES[dialog] : ''}
        onClose={close}
        wide={dialog === 'test'}
      >
        {dialog === 'edit' && <EditForm webhook={webhook} close={close} />}
        {dialog === 'test' && <TestForm webhook={webhook} close={close} />}
        {dialog === 'rotate' && <RotateForm webhook={webhook} close={close} show={show} />}
      </Dialog>
      <SecretDialog title="The new secret" secret={secret} onKept={() => show(undefined)} />
    </div>
  );
}

/** Pauses the webhook. The button to resume it is at the top of the page. */
function Pause({ webhook }: { webhook: Webhook }) {
  const { token } = useSite();
  const pause = useAction((api) => api.pauseWebhook({ token, webhook_id: webhook.webhook_id }), {
    success: 'The webhook is paused.',
    changes: [keys.site(token, 'webhooks'), keys.site(token, 'warnings')],
  });
  if (webhook.status === 'disabled' || webhook.status === 'paused') return null;
  return (
    <>
      <Button isPending={pause.pending} onPress={() => pause.run(undefined)}>
        Pause
      </Button>
      {pause.error !== null && (
        <span className="field-error" role="alert">
          {describe(pause.error).text}
        </span>
      )}
    </>
  );
}

function Delete({ webhook }: { webhook: Webhook }) {
  const { token, path } = useSite();
  const navigate = useNavigate();
  const [asking, ask] = useState(false);
  const remove = useAction((api) => api.deleteWebhook({ token, webhook_id: webhook.webhook_id }), {
    success: 'The webhook is deleted.',
    changes: [keys.site(token, 'webhooks', 'list'), keys.site(token, 'warnings')],
    onDone: () => navigate(path('webhooks'), { replace: true }),
  });
  return (
    <>
      <Button variant="danger" onPress={() => ask(true)}>
        Delete
      </Button>
      <ConfirmDialog
        isOpen={asking}
        title={`Delete the webhook ${hostOf(webhook)}?`}
        confirm="Delete"
        action={remove}
        onConfirm={() => remove.run(undefined)}
        onCancel={() => ask(false)}
      >
        Its deliveries are deleted too, including those that are still waiting. The events are kept.
      </ConfirmDialog>
    </>
  );
}
