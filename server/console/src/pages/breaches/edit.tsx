import { useNavigate, useParams } from 'react-router';
import { keys, type Schemas, useAction, useAnswer } from '../../app/data';
import { Allowed, useSite } from '../../app/site';
import { Forbidden, Form, PageHeader, QueryState } from '../../ui';
import { useKeptDraft } from '../../ui/kept-draft';
import { Restored } from '../../ui/restored';
import { toDraft, toPatch } from './draft';
import { BreachFields } from './fields';

/** Completes or corrects a breach as facts become known (GDPR Art. 33(4)). */
export default function EditBreach() {
  const { token, path } = useSite();
  const { id = '' } = useParams();
  const breach = useAnswer(keys.site(token, 'breaches', id), (api, signal) =>
    api.getBreach({ token, breach_id: id }, { signal }),
  );
  return (
    <>
      <PageHeader title="Edit the breach" back={[path(`breaches/${id}`), 'The breach']} />
      <Allowed
        to="operator"
        otherwise={<Forbidden>Only operators and owners can change breaches.</Forbidden>}
      >
        <QueryState query={breach}>{(found) => <Fields breach={found} />}</QueryState>
      </Allowed>
    </>
  );
}

function Fields({ breach }: { breach: Schemas['Breach'] }) {
  const { token, path } = useSite();
  const navigate = useNavigate();
  const draft = useKeptDraft(`breach:${breach.breach_id}`, toDraft(breach));
  const back = () => navigate(path(`breaches/${breach.breach_id}`));
  const update = useAction(
    (api, body: ReturnType<typeof toPatch>) => api.updateBreach({ token, breach_id: breach.breach_id, body }),
    {
      success: 'The breach is saved.',
      changes: [keys.site(token, 'breaches'), keys.site(token, 'warnings')],
      onDone: () => {
        draft.discard();
        void back();
      },
    },
  );
  const save = () =>
    draft.changed.length === 0 ? void back() : update.run(toPatch(draft.value, draft.changed));
  return (
    <>
      <Restored draft={draft} />
      <Form action={update} submit="Save" onSubmit={save}>
        <BreachFields draft={draft} />
      </Form>
    </>
  );
}
