import type { Input } from '@avow/sdk';
import { type ReactNode, useState } from 'react';
import { keys, type Site, useAction } from '../../app/data';
import { useSite } from '../../app/site';
import { Card, ConfirmDialog, Form, type useDraft, useVersion } from '../../ui';

export type Patch = Input<'updateEnvironment'>['body'];
type Versions = Pick<Patch, 'expected_settings_version' | 'expected_revision'>;

export const settingsOf = ({ settings_version }: Site): Versions => ({
  expected_settings_version: settings_version,
});

/**
 * One section: fields and the button that saves them. Sends only this section, and the version of the
 * settings that it is based on, so that two users do not undo each other's work.
 * @param versionOf the version that a change is based on, as the contract names it; default: that of the
 * settings
 * @param toPatch makes the request from the draft
 * @param fromSite makes the draft from the saved site
 */
export function Section<Draft extends object>({
  title,
  lead,
  draft,
  toPatch,
  fromSite,
  versionOf = settingsOf,
  doubt,
  children,
}: {
  title: string;
  lead?: ReactNode;
  draft: ReturnType<typeof useDraft<Draft>>;
  toPatch: (draft: Draft) => Patch;
  fromSite: (site: Site) => Draft;
  versionOf?: (site: Site) => Versions;
  /** What the user must confirm before saving; undefined if nothing. */
  doubt?: (draft: Draft, saved: Draft) => ReactNode;
  children: ReactNode;
}) {
  const site = useSite();
  const { token } = site;
  const mayEdit = site.may('owner');
  const save = useAction((api, body: Patch) => api.updateEnvironment({ token, body }), {
    success: `${title}: saved`,
    changes: [keys.site(token), keys.sites],
    onDone: (now) => draft.saved(fromSite(now)),
  });
  const expected = useVersion(draft, fromSite(site), versionOf(site), save.error);
  const [asking, ask] = useState(false);
  const question = doubt?.(draft.value, draft.base) ?? undefined;
  const send = () => {
    ask(false);
    save.run({ ...toPatch(draft.value), ...expected });
  };
  return (
    <Card title={title}>
      <ConfirmDialog
        isOpen={asking}
        title="Save these changes?"
        confirm="Save"
        onConfirm={send}
        onCancel={() => ask(false)}
      >
        {question}
      </ConfirmDialog>
      {lead !== undefined && <p className="muted">{lead}</p>}
      <Form
        action={save}
        dirty={draft.dirty}
        clashes={draft.clashes}
        onSubmit={() => (question === undefined ? send() : ask(true))}
        {...(mayEdit && { submit: 'Save' })}
      >
        <fieldset className="section-fields" disabled={!mayEdit}>
          {children}
        </fieldset>
      </Form>
    </Card>
  );
}
