import { Card, TextField } from '../../ui';
import type { Editor } from './draft';
import { FieldWarnings } from './warnings';

/** The banner's links to further information (GDPR Art. 13). */
export function PolicyLinks({ editor: { value, set } }: { editor: Editor }) {
  return (
    <Card title="Links">
      <TextField
        label="Address of the privacy policy"
        name="settings.privacy_policy_url"
        type="url"
        placeholder="https://"
        value={value.privacy_policy_url}
        onChange={(privacy_policy_url) => set({ privacy_policy_url })}
      />
      <FieldWarnings of="settings.privacy_policy_url" />
      <TextField
        label="Address of the imprint"
        name="settings.imprint_url"
        type="url"
        placeholder="https://"
        value={value.imprint_url}
        onChange={(imprint_url) => set({ imprint_url })}
      />
    </Card>
  );
}
