import { useState } from 'react';
import { keys, useAction } from '../../app/data';
import { ConfirmDialog, Dialog } from '../../ui';
import type { ApiKey } from './names';
import { ShownKey } from './shown-key';

interface About {
  apiKey: ApiKey;
  onClose: () => void;
}

/** Replaces a key by a new one, which is shown once. */
export function RotateKey({ apiKey, onClose }: About) {
  const [text, setText] = useState<string>();
  const rotate = useAction((api, key_id: string) => api.rotateKey({ key_id, body: {} }), {
    changes: [keys.ownKeys],
    onDone: ({ key }) => setText(key),
  });
  if (text !== undefined) {
    return (
      <Dialog isOpen onClose={onClose} title="Copy the new key">
        <ShownKey text={text} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      isOpen
      title={`Rotate the key ${apiKey.name}?`}
      confirm="Make the new key"
      action={rotate}
      onConfirm={() => rotate.run(apiKey.key_id)}
      onCancel={onClose}
    >
      <p>The new key may do the same. The old one works for 24 hours more: change your program by then.</p>
    </ConfirmDialog>
  );
}

/** Ends a key at once: one's own, or one that is bound to a site. */
export function RevokeKey({ apiKey, site, onClose }: About & { site?: string }) {
  const revoke = useAction(
    (api, key_id: string) =>
      site === undefined ? api.revokeKey({ key_id }) : api.revokeSiteKey({ token: site, key_id }),
    {
      success: `The key ${apiKey.name} was revoked`,
      changes: [keys.ownKeys, ...(site === undefined ? [] : [keys.site(site, 'keys')])],
      onDone: onClose,
    },
  );
  return (
    <ConfirmDialog
      isOpen
      title={`Revoke the key ${apiKey.name}?`}
      confirm="Revoke"
      action={revoke}
      onConfirm={() => revoke.run(apiKey.key_id)}
      onCancel={onClose}
    >
      <p>
        Programs that use it are refused at once{apiKey.site === null && ', on all sites'}. A revoked key
        never works again.
      </p>
    </ConfirmDialog>
  );
}
