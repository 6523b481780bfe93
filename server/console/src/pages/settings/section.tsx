import type { Input } from '@avow/sdk';
import { type ReactNode, useState } from 'react';
import { keys, type Site, useAction } from '../../app/data';
import { useSite } from '../../app/site';
import { Card, ConfirmDialog, Form, type useDraft, useVersion } from '../../ui';

export type Patch = Input<'updateEnvironment'>['body'];
type Upon = Pick<Patch, 'expected_settings_version' | 'expected_revision'>;

export const settingsOf = ({ settings_version }: Site): Upon => ({
  expected_settings_version: settings_version,
});

/**
 * One section: fields, and the button that saves them. Only what the section holds is sent, and upon which
 * version of the settings, so that two people do not undo each other's work.
 * @param upon what of the site the change is made upon, as the contract names it; default: its settings
 * @param toPatch makes the request of what was typed
 * @param fromSite what is typed, from what the server made of it
 */
export function Section<Draft extends object>({
  title,
  lead,
  draft,
  toPatch,
  fromSite,
  upon = settingsOf,
  doubt,
  children,
}: {
  title: string;
  lead?: ReactNode;
  draft: ReturnType<typeof useDraft<Draft>>;
  toPatch: (draft: Draft) => Patch;
  fromSite: (site: Site) => Draft;
  upon?: (site: Site) => Upon;
  /** What must be confirmed before this is saved; undefined when nothing is doubtful. */
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
  const expected = useVersion(draft, fromSite(site), upon(site), save.error);
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
        title="Save this?"
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
