import { lazy, Suspense } from 'react';
import { useParams } from 'react-router';
import { keys, type Schemas, useAnswer } from '../../app/data';
import { Allowed, useSite } from '../../app/site';
import {
  Alert,
  Badge,
  ButtonLink,
  Card,
  FieldList,
  Link,
  Loading,
  PageHeader,
  QueryState,
  Time,
} from '../../ui';
import { DaysLeft } from '../../ui/days-left';
import { HistoryList } from '../../ui/history-list';
import { ErasePerson } from '../consents/erase-person';
import { isWaiting, Sealed } from '../evidence/sealed';
import { Actions } from './actions';
import { Assign } from './assign';
import style from './dsar.module.css';
import { channelName, personName, StatusBadge, typeName } from './names';

type Dsar = Schemas['DsarProof'];

// Loaded after the page, which is shown without them.
const Untold = lazy(() => import('./untold'));
const Answer = lazy(() => import('./answer'));
const SearchList = lazy(() => import('./search-list'));
const AnswerFiles = lazy(async () => ({ default: (await import('./answer-files')).AnswerFiles }));
const Attachments = lazy(async () => ({ default: (await import('./attachments')).Attachments }));
const Guidance = lazy(async () => ({ default: (await import('./guidance')).Guidance }));
const Comments = lazy(async () => ({ default: (await import('./comments')).Comments }));

/** One request: its facts, deadline and history, and the next steps. */
export default function Request() {
  const { token } = useSite();
  const { id = '' } = useParams();
  const request = useAnswer(
    keys.site(token, 'dsar', id),
    (api, signal) => api.getDsar({ token, request_id: id }, { signal }),
    { isSealing: isWaiting },
  );
  return <QueryState query={request}>{(dsar) => <Page dsar={dsar} />}</QueryState>;
}

function Page({ dsar }: { dsar: Dsar }) {
  const { path } = useSite();
  return (
    <>
      <PageHeader
        title={`${typeName(dsar.request_type)} for ${dsar.name ?? (dsar.email || 'somebody')}`}
        back={[path('dsar'), 'Requests']}
        actions={
          <>
            <Actions dsar={dsar} />
            <Allowed to="operator" otherwise={null}>
              <ButtonLink to={path(`dsar/${dsar.request_id}/case`)}>Print or export the case</ButtonLink>
            </Allowed>
            <Assign dsar={dsar} />
            {/* A page may name anybody's session. */}
            <ErasePerson
              email={dsar.email}
              session={dsar.channel === 'online' ? '' : (dsar.session_id ?? '')}
            />
          </>
        }
      >
        <span className="row">
          <StatusBadge status={dsar.status} />
          {dsar.status !== 'resolved' && (
            <>
              <DaysLeft until={dsar.extended_until ?? dsar.due_at} />
              <span>
                Answer by <Time at={dsar.extended_until ?? dsar.due_at} />
              </span>
            </>
          )}
        </span>
      </PageHeader>
      {dsar.possible_duplicate_of !== null && <Duplicate of={dsar.possible_duplicate_of} />}
      {(dsar.disowned_at !== null || dsar.undelivered.length > 0) && (
        <Suspense>
          <Untold dsar={dsar} />
        </Suspense>
      )}
      <div className="columns">
        <div className="stack">
          <Card title="The request">
            {dsar.message !== null && <p className={style.said}>{dsar.message}</p>}
            <Facts dsar={dsar} />
          </Card>
          <Suspense fallback={<Loading lines={3} />}>
            {(dsar.resolution ?? dsar.answer) !== null && <Answer dsar={dsar} />}
            <AnswerFiles dsar={dsar} />
            <Attachments request_id={dsar.request_id} />
            <SearchList dsar={dsar} />
            <Comments requestId={dsar.request_id} />
          </Suspense>
          <Card title="History">
            <HistoryList entries={dsar.history} />
          </Card>
          <Sealed evidence={dsar.evidence} subject={{ request_id: dsar.request_id }} />
        </div>
        {dsar.status !== 'resolved' && (
          <Suspense fallback={<Loading lines={3} />}>
            <Guidance type={dsar.request_type} />
          </Suspense>
        )}
      </div>
    </>
  );
}

function Duplicate({ of }: { of: string }) {
  const { path } = useSite();
  return (
    <Alert tone="warn" title="Possible duplicate">
      The same address has made the same request before:{' '}
      <Link to={path(`dsar/${of}`)}>see the earlier request</Link>.
    </Alert>
  );
}

const Facts = ({ dsar }: { dsar: Dsar }) => (
  <FieldList
    items={[
      ['Name', dsar.name],
      ['E-mail address', dsar.email],
      ['Address verified', dsar.email === '' ? null : <Identified key="verified" dsar={dsar} />],
      ['Postal address or telephone', dsar.contact],
      ['How it came', dsar.channel === 'online' ? null : channelName(dsar.channel)],
      ['Received on', dsar.received_on],
      ['Answer in', language(dsar.language)],
      [dsar.received_on === null ? 'Received' : 'Recorded', <Time key="at" at={dsar.created_at} />],
      ['Due', <Time key="due" at={dsar.due_at} />],
      ['Assigned to', dsar.assignee === null ? 'Nobody' : personName(dsar.assignee)],
      ['Extended until', dsar.extended_until && <Time at={dsar.extended_until} />],
      ['Why extended', dsar.extension_reason],
      ['Visitor', dsar.session_id && <Visitor session={dsar.session_id} />],
      ['Request', <code key="id">{dsar.request_id}</code>],
    ]}
  />
);

function Identified({ dsar: { email_verified_at, identification } }: { dsar: Dsar }) {
  if (email_verified_at !== null) return <Time at={email_verified_at} />;
  return identification === 'pending' ? (
    <>
      <Badge tone="warn">Not yet</Badge> Identify the person before you answer.
    </>
  ) : (
    <>No</>
  );
}

function Visitor({ session }: { session: string }) {
  const { path } = useSite();
  return (
    <Link to={`${path('consents')}?id=${encodeURIComponent(session)}`}>Consent records of this visitor</Link>
  );
}

/** German (de); only the tag if it has no name. */
function language(tag: string): string {
  const name = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }).of(tag);
  return name === undefined ? tag : `${name} (${tag})`;
}
