import { useParams } from 'react-router';
import { keys, type Schemas, useAction, useAnswer } from '../../app/data';
import { jsonFile, saveFile } from '../../app/save-file';
import { useSession } from '../../app/session';
import { useSite } from '../../app/site';
import { Button, Failed, PageHeader, QueryState, Time } from '../../ui';
import style from './case.module.css';
import { SECTIONS } from './case-sections';
import { typeName } from './names';

export type Case = Schemas['DsarCase'];

/** Everything of one request, to be read, printed and exported. */
export default function CasePage() {
  const { token } = useSite();
  const { id = '' } = useParams();
  const found = useAnswer(
    keys.site(token, 'dsar', id, 'case'),
    (api, signal) => api.getDsarCase({ token, request_id: id }, { signal }),
    // Each reading is in the audit trail.
    { refetchOnWindowFocus: false },
  );
  return <QueryState query={found}>{(all) => <Page all={all} />}</QueryState>;
}

function Page({ all }: { all: Case }) {
  const { path } = useSite();
  const { request } = all;
  return (
    <>
      <PageHeader
        title={`${typeName(request.request_type)} request: the whole case`}
        back={[path(`dsar/${request.request_id}`), 'The request']}
        actions={<Exports all={all} />}
      />
      <div className={style.case}>
        <header className={style.head}>
          <Head all={all} />
        </header>
        <div className={style.body}>
          <Printed />
          {SECTIONS.map(({ title, Content }) => (
            <section key={title} className={style.section}>
              <h2>{title}</h2>
              <Content all={all} />
            </section>
          ))}
        </div>
      </div>
    </>
  );
}

/** On every sheet. */
function Head({ all: { site, request } }: { all: Case }) {
  return (
    <>
      <span>
        <strong>{site.name}</strong> · {site.domain}
      </span>
      <span>
        Request <code>{request.request_id}</code>
      </span>
      <span>
        Received {request.received_on ?? <Time at={request.created_at} />} · due{' '}
        <Time at={request.extended_until ?? request.due_at} />
      </span>
    </>
  );
}

function Exports({ all }: { all: Case }) {
  const { token, request_id } = { token: all.site.token, request_id: all.request.request_id };
  const save = useAction((api, format: 'zip' | 'json') =>
    saveFile(
      format === 'json'
        ? Promise.resolve(jsonFile(`request-${all.site.domain}-${request_id}.json`, all))
        : // No time limit: its files may be large.
          api.exportDsarCase({ token, request_id }, { timeout: 0 }),
    ),
  );
  return (
    <>
      <Button onPress={() => print()}>Print</Button>
      <Button onPress={() => save.run('zip')} isPending={save.pending}>
        Export with its files
      </Button>
      <Button onPress={() => save.run('json')} isPending={save.pending}>
        Export JSON
      </Button>
      <Failed error={save.error} />
    </>
  );
}

function Printed() {
  const user = useSession()?.user;
  return (
    <p className={style.printed}>
      Printed by {user?.name} ({user?.email}), <Time at={new Date().toISOString()} />.
    </p>
  );
}
