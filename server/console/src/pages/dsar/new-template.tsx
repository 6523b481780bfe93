import { useNavigate, useParams } from 'react-router';
import { keys, useAction, useAnswer } from '../../app/data';
import { Allowed, useSite } from '../../app/site';
import { Forbidden, Form, PageHeader, QueryState } from '../../ui';
import { useKeptDraft } from '../../ui/kept-draft';
import { Restored } from '../../ui/restored';
import { type TemplateBody, TemplateFields } from './template-fields';

/** A new template, which may begin as a copy of another one. */
export default function NewTemplate() {
  const { id } = useParams();
  const { token, path, settings } = useSite();
  const templates = useAnswer(keys.site(token, 'dsar-templates'), (api, signal) =>
    api.listAnswerTemplates({ token }, { signal }),
  );
  const empty = {
    ...{ name: '', request_type: 'access' as const, language: settings.default_language, text: '' },
  };
  return (
    <>
      <PageHeader title="New template of answers" back={[path('dsar/templates'), 'Templates']} />
      <Allowed to="operator" otherwise={<Forbidden>Only operators and owners can make templates.</Forbidden>}>
        <QueryState query={templates}>
          {({ items }) => {
            const { name, request_type, language, text } =
              items.find(({ template_id }) => template_id === id) ?? empty;
            return <Make initial={{ name, request_type, language, text }} copied={id ?? ''} />;
          }}
        </QueryState>
      </Allowed>
    </>
  );
}

function Make({ initial, copied }: { initial: TemplateBody; copied: string }) {
  const { token, path } = useSite();
  const navigate = useNavigate();
  const draft = useKeptDraft(`template:new:${token}:${copied}`, initial);
  const make = useAction((api, body: TemplateBody) => api.createAnswerTemplate({ token, body }), {
    success: 'The template is saved.',
    changes: [keys.site(token, 'dsar-templates')],
    onDone: () => {
      draft.discard();
      void navigate(path('dsar/templates'), { replace: true });
    },
  });
  return (
    <>
      <Restored draft={draft} />
      <Form action={make} submit="Save" onSubmit={() => make.run(draft.value)}>
        <TemplateFields draft={draft} />
      </Form>
    </>
  );
}
