import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { keys, type Schemas, useAction, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';
import {
  Button,
  ButtonLink,
  Card,
  ConfirmDialog,
  EmptyState,
  FieldList,
  Form,
  PageHeader,
  QueryState,
} from '../../ui';
import { useKeptDraft } from '../../ui/kept-draft';
import { Restored } from '../../ui/restored';
import style from './dsar.module.css';
import { typeName } from './names';
import { type TemplateBody, TemplateFields } from './template-fields';

type Template = Schemas['AnswerTemplate'];

/** Shows a template; whoever works on requests changes it, unless it came with the product. */
export default function TemplatePage() {
  const { id = '' } = useParams();
  const { token, path } = useSite();
  const templates = useAnswer(keys.site(token, 'dsar-templates'), (api, signal) =>
    api.listAnswerTemplates({ token }, { signal }),
  );
  return (
    <>
      <PageHeader title="Template of answers" back={[path('dsar/templates'), 'Templates']} />
      <QueryState query={templates}>
        {({ items }) => <Shown key={id} template={items.find(({ template_id }) => template_id === id)} />}
      </QueryState>
    </>
  );
}

function Shown({ template }: { template: Template | undefined }) {
  const { may, path } = useSite();
  if (template === undefined) return <EmptyState title="There is no such template" />;
  if (template.builtin || !may('operator'))
    return (
      <Card title={template.name}>
        <FieldList
          items={[
            ['Request', typeName(template.request_type)],
            ['Language', template.language],
          ]}
        />
        <p className={style.said}>{template.text}</p>
        {may('operator') && (
          <div>
            <ButtonLink to={path(`dsar/templates/new/${template.template_id}`)}>Copy it</ButtonLink>
          </div>
        )}
      </Card>
    );
  return <Edit template={template} />;
}

function Edit({ template }: { template: Template }) {
  const { token, path } = useSite();
  const { template_id, name, request_type, language, text, version } = template;
  const navigate = useNavigate();
  const draft = useKeptDraft(`template:${template_id}`, { name, request_type, language, text });
  const back = () => void navigate(path('dsar/templates'));
  const save = useAction(
    (api, body: TemplateBody) =>
      api.updateAnswerTemplate({ token, template_id, body: { ...body, expected_version: version } }),
    {
      success: 'The template is saved.',
      changes: [keys.site(token, 'dsar-templates')],
      onDone: () => {
        draft.discard();
        back();
      },
    },
  );
  return (
    <>
      <Restored draft={draft} />
      <Form
        action={save}
        submit="Save"
        extra={<Delete template={template} />}
        onSubmit={() => save.run(draft.value)}
      >
        <TemplateFields draft={draft} />
      </Form>
    </>
  );
}

function Delete({ template: { template_id, name } }: { template: Template }) {
  const { token, path } = useSite();
  const navigate = useNavigate();
  const [asking, ask] = useState(false);
  const remove = useAction((api) => api.deleteAnswerTemplate({ token, template_id }), {
    success: 'The template is deleted.',
    changes: [keys.site(token, 'dsar-templates')],
    onDone: () => void navigate(path('dsar/templates'), { replace: true }),
  });
  return (
    <>
      <Button variant="danger" onPress={() => ask(true)}>
        Delete
      </Button>
      <ConfirmDialog
        isOpen={asking}
        title={`Delete the template ${name}?`}
        confirm="Delete"
        action={remove}
        onConfirm={() => remove.run(undefined)}
        onCancel={() => ask(false)}
      >
        Answers that began with it stay as they are.
      </ConfirmDialog>
    </>
  );
}
