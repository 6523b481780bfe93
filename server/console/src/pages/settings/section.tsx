import type { Input } from '@avow/sdk';
import type { ReactNode } from 'react';
import { keys, type Site, useAction } from '../../app/data';
import { useSite } from '../../app/site';
import { Card, Form, type useDraft } from '../../ui';

export type Patch = Input<'updateEnvironment'>['body'];

/**
 * One section: fields, and the button that saves them. Only what the section holds is sent, so that two people who change
 * different sections do not undo each other's work.
 * @param toPatch makes the request of what was typed
 * @param fromSite what is typed, from what the server made of it
 */
export function Section<Draft extends object>({
  title,
  lead,
  draft,
  toPatch,
  fromSite,
  children,
}: {
  title: string;
  lead?: ReactNode;
  draft: ReturnType<typeof useDraft<Draft>>;
  toPatch: (draft: Draft) => Patch;
  fromSite: (site: Site) => Draft;
  children: ReactNode;
}) {
  const { token, may } = useSite();
  const mayEdit = may('owner');
  const save = useAction((api, body: Patch) => api.updateEnvironment({ token, body }), {
    success: `${title}: saved`,
    changes: [keys.site(token), keys.sites],
    onDone: (site) => draft.saved(fromSite(site)),
  });
  return (
    <Card title={title}>
      {lead !== undefined && <p className="muted">{lead}</p>}
      <Form
        action={save}
        dirty={draft.dirty}
        onSubmit={() => save.run(toPatch(draft.value))}
        {...(mayEdit && { submit: 'Save' })}
      >
        <fieldset className="section-fields" disabled={!mayEdit}>
          {children}
        </fieldset>
      </Form>
    </Card>
  );
}
