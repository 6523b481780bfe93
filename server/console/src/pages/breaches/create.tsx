import { useNavigate } from 'react-router';
import { keys, useAction } from '../../app/data';
import { Allowed, useSite } from '../../app/site';
import { Button, Forbidden, Form, PageHeader } from '../../ui';
import { useKeptDraft } from '../../ui/kept-draft';
import { Restored } from '../../ui/restored';
import { emptyDraft, toBody } from './draft';
import { BreachFields } from './fields';

/** Records a new breach. */
export default function NewBreach() {
  const { path } = useSite();
  return (
    <>
      <PageHeader title="Record a breach" back={[path('breaches'), 'Breaches']}>
        A title and the time that you became aware are enough; add the rest as it becomes known (Art. 33(4)).
        What you type is kept when you leave this page.
      </PageHeader>
      <Allowed
        to="operator"
        otherwise={<Forbidden>Only operators and owners can record breaches.</Forbidden>}
      >
        <Fields />
      </Allowed>
    </>
  );
}

function Fields() {
  const { token, path } = useSite();
  const navigate = useNavigate();
  const draft = useKeptDraft(`breach:new:${token}`, emptyDraft());
  const create = useAction((api, body: ReturnType<typeof toBody>) => api.createBreach({ token, body }), {
    success: 'The breach is recorded.',
    changes: [keys.site(token, 'breaches'), keys.site(token, 'warnings'), keys.site(token, 'events')],
    onDone: ({ breach_id }) => {
      draft.discard();
      void navigate(path(`breaches/${breach_id}`), { replace: true });
    },
  });
  return (
    <>
      <Restored draft={draft} />
      <Form
        action={create}
        submit="Record"
        extra={<Button onPress={() => navigate(path('breaches'))}>Later</Button>}
        onSubmit={() => create.run(toBody(draft.value))}
      >
        <BreachFields draft={draft} />
      </Form>
    </>
  );
}
