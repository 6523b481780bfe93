import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { keys, useAction, useAnswer } from '../../app/data';
import { ExportButtons } from '../../app/export-buttons';
import { useSite } from '../../app/site';
import {
  Alert,
  Button,
  Card,
  Checkbox,
  ConfirmDialog,
  Dialog,
  Form,
  Link,
  TextField,
  useDraft,
} from '../../ui';

/** The end of a site: exports, archiving and deletion. */
export function EndingSection() {
  const site = useSite();
  const { token } = site;
  const isArchived = site.status === 'archived';
  const [asking, ask] = useState<'archive' | 'delete'>();
  const archive = useAction(
    (api, status: 'archived' | 'active') => api.updateEnvironment({ token, body: { status } }),
    {
      success: ({ status }) =>
        status === 'archived' ? 'The site is archived.' : 'The site is active again.',
      changes: [keys.site(token), keys.sites],
      onDone: () => ask(undefined),
    },
  );
  return (
    <div className="stack">
      <Exports />
      <Card title="Archive">
        <p className="muted">
          Visitors’ requests are refused, including the banner’s script. Records and reports stay readable,
          and retention continues. You can undo this.
        </p>
        {site.may('owner') && (
          <div className="row">
            {isArchived ? (
              <Button isPending={archive.pending} onPress={() => archive.run('active')}>
                Make the site active again
              </Button>
            ) : (
              <Button onPress={() => ask('archive')}>Archive the site</Button>
            )}
          </div>
        )}
        <ConfirmDialog
          isOpen={asking === 'archive'}
          title="Archive this site?"
          confirm="Archive"
          action={archive}
          onConfirm={() => archive.run('archived')}
          onCancel={() => ask(undefined)}
        >
          <p>
            From then on, no visitor of {site.domain} sees the banner, and no decision is recorded. Remove its
            script from your pages first.
          </p>
        </ConfirmDialog>
      </Card>
      <Card title="Delete">
        <p className="muted">
          All data of the site are erased for good, including the proofs of consent. Only an archived site can
          be deleted.
        </p>
        {site.may('owner') && (
          <div className="row">
            <Button variant="danger" isDisabled={!isArchived} onPress={() => ask('delete')}>
              Delete the site
            </Button>
          </div>
        )}
        <Dialog
          isOpen={asking === 'delete'}
          title="Delete this site for good?"
          onClose={() => ask(undefined)}
        >
          <DeleteForm close={() => ask(undefined)} />
        </Dialog>
      </Card>
    </div>
  );
}

function Exports() {
  const { token, path } = useSite();
  return (
    <Card title="Export what you must keep">
      <p className="muted">
        You must be able to prove a consent for as long as a claim can be made (GDPR Art. 7(1)), even after
        the site has ended. <Link to={path('ropa')}>The records of processing</Link> have their own files.
      </p>
      <div className="stack">
        <Named name="Consent records">
          <ExportButtons ask={(api, format, options) => api.exportConsents({ token, format }, options)} />
        </Named>
        <Named name="Form consents">
          <ExportButtons ask={(api, format, options) => api.exportFormConsents({ token, format }, options)} />
        </Named>
        <Named name="Requests">
          <ExportButtons ask={(api, format, options) => api.exportDsar({ token, format }, options)} />
        </Named>
        <Named name="Breaches">
          <ExportButtons ask={(api, format, options) => api.exportBreaches({ token, format }, options)} />
        </Named>
        <Named name="Events">
          <ExportButtons ask={(api, format, options) => api.exportEvents({ token, format }, options)} />
        </Named>
      </div>
    </Card>
  );
}

const Named = ({ name, children }: { name: string; children: ReactNode }) => (
  <fieldset className="entry-group">
    <legend>{name}</legend>
    <div className="row">{children}</div>
  </fieldset>
);

function DeleteForm({ close }: { close: () => void }) {
  const { token, name } = useSite();
  const navigate = useNavigate();
  const draft = useDraft({ name: '', unanswered: false }, 'query.');
  const remove = useAction((api, typed: typeof draft.value) => api.deleteEnvironment({ token, ...typed }), {
    success: 'The site is deleted.',
    changes: [keys.sites],
    onDone: () => void navigate('/', { replace: true }),
  });
  const hasOpen = useHasOpen(token);
  return (
    <Form
      action={remove}
      submit="Delete for good"
      isDisabled={draft.value.name === '' || hasOpen === undefined || (hasOpen && !draft.value.unanswered)}
      extra={<Button onPress={close}>Cancel</Button>}
      onSubmit={() => remove.run(draft.value)}
    >
      <Alert tone="bad">
        Its members and webhooks end at once, and its records are erased soon after. Nobody can bring them
        back.
      </Alert>
      <TextField
        label="Name of the site"
        {...draft.bind('name')}
        description={`Type “${name}” to delete it.`}
        isRequired
        autoFocus
      />
      {hasOpen && (
        <Checkbox
          {...draft.bind('unanswered')}
          label="Delete open requests and breaches, too"
          hint="There are data-subject requests without an answer, or breaches that are neither reported nor decided upon. The duty to complete them does not end with the site."
        />
      )}
    </Form>
  );
}

/** Whether a data-subject request or a breach is open; undefined while it is not known. */
function useHasOpen(token: string): boolean | undefined {
  const requests = useAnswer(keys.site(token, 'dsar', 'open'), (api, signal) =>
    api.listDsar({ token, open: true, limit: 1 }, { signal }),
  );
  const breaches = useAnswer(keys.site(token, 'breaches', 'open'), (api, signal) =>
    api.listBreaches({ token, status: 'created', limit: 1 }, { signal }),
  );
  if (requests.data === undefined || breaches.data === undefined) return undefined;
  return requests.data.items.length + breaches.data.items.length > 0;
}
