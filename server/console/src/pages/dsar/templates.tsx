import { keys, type Schemas, useAnswer } from '../../app/data';
import { languageNames } from '../../app/lists';
import { Allowed, useSite } from '../../app/site';
import { ButtonLink, Card, type Column, Link, PageHeader, QueryState, Table } from '../../ui';
import { typeName } from './names';

type Template = Schemas['AnswerTemplate'];

/** The templates of answers: the site's own, and those that come with the product. */
export default function Templates() {
  const { token, path } = useSite();
  const templates = useAnswer(keys.site(token, 'dsar-templates'), (api, signal) =>
    api.listAnswerTemplates({ token }, { signal }),
  );
  return (
    <>
      <PageHeader
        title="Templates of answers"
        back={[path('dsar'), 'Requests']}
        actions={
          <Allowed to="operator">
            <ButtonLink to={path('dsar/templates/new')}>Make a template</ButtonLink>
          </Allowed>
        }
      >
        Texts with which you begin the answer to a request. Resolve a request to use one.
      </PageHeader>
      <QueryState query={templates}>{({ items }) => <Lists items={items} />}</QueryState>
    </>
  );
}

function Lists({ items }: { items: readonly Template[] }) {
  const { path } = useSite();
  const own = items.filter(({ builtin }) => !builtin);
  const builtin = items.filter((one) => one.builtin);
  return (
    <>
      <Card title="Your templates">
        {own.length === 0 ? (
          <p>No templates yet. Make one, or copy one of those below.</p>
        ) : (
          <Table label="Your templates" columns={columns(path)} rows={own} rowKey={idOf} />
        )}
      </Card>
      <Card title="Built-in templates">
        <Table label="Built-in templates" columns={columns(path)} rows={builtin} rowKey={idOf} />
      </Card>
    </>
  );
}

const idOf = ({ template_id }: Template): string => template_id;

const columns = (path: (to: string) => string): Column<Template>[] => [
  {
    title: 'Name',
    cell: ({ template_id, name }) => <Link to={path(`dsar/templates/${template_id}`)}>{name}</Link>,
  },
  { title: 'Request', cell: ({ request_type }) => typeName(request_type) },
  { title: 'Language', cell: ({ language }) => languageNames([language]) },
];
