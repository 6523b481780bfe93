import type { ComponentType, ReactNode } from 'react';
import type { Schemas } from '../../app/data';
import { FieldList, Time, words } from '../../ui';
import style from './case.module.css';
import { channelName, resolutionName, typeName } from './names';
import { sizeOf } from './upload';

type Case = Schemas['DsarCase'];

/** A part of the case. */
interface Section {
  title: string;
  Content: ComponentType<{ all: Case }>;
}

function Asked({ all: { request } }: { all: Case }) {
  return (
    <>
      <FieldList
        items={[
          ['What', typeName(request.request_type)],
          ['State', words(request.status)],
          ['Name', request.name],
          ['E-mail address', request.email || null],
          ['Postal address or telephone', request.contact],
          ['How it came', channelName(request.channel)],
          ['Answer in', request.language],
          ['Assigned to', request.assignee?.email ?? null],
          ['Possible duplicate of', request.possible_duplicate_of],
        ]}
      />
      {request.message !== null && <blockquote className={style.said}>{request.message}</blockquote>}
    </>
  );
}

const Clock = ({ all: { request } }: { all: Case }) => (
  <FieldList
    items={[
      ['Received on', request.received_on],
      [request.received_on === null ? 'Received' : 'Recorded', <Time key="at" at={request.created_at} />],
      ['Due', <Time key="due" at={request.due_at} />],
      ['Extended until', request.extended_until && <Time at={request.extended_until} />],
      ['Why extended', request.extension_reason],
      ['Resolved', request.resolved_at && <Time at={request.resolved_at} />],
      ['Overdue', request.overdue ? 'Yes' : 'No'],
    ]}
  />
);

const IDENTIFIED: Readonly<Record<Case['request']['identification'], string>> = {
  not_required: 'Not asked for by the site',
  pending: 'The person has not opened the mailed link',
  verified: 'The person opened the mailed link',
};

const Identity = ({ all: { request } }: { all: Case }) => (
  <FieldList
    items={[
      ['Proof of the address', IDENTIFIED[request.identification]],
      ...request.undelivered.filter(isConfirmation).map(undelivered),
      ['Address verified', request.email_verified_at && <Time at={request.email_verified_at} />],
      ["Visitor's session", request.session_id && <code>{request.session_id}</code>],
    ]}
  />
);

function Outcome({ all: { request } }: { all: Case }) {
  if (request.resolution === null && request.answer === null) return <p>Not answered yet.</p>;
  return (
    <FieldList
      items={[
        ['Outcome', request.resolution && resolutionName(request.resolution)],
        ['Note', request.resolution_note],
        ['Answer', request.answer && <span className={style.said}>{request.answer}</span>],
        ...request.undelivered.filter((one) => !isConfirmation(one)).map(undelivered),
      ]}
    />
  );
}

type Undelivered = Case['request']['undelivered'][number];
const isConfirmation = ({ duty }: Undelivered): boolean => duty === 'confirmation';
const undelivered = ({ duty, state, error }: Undelivered) =>
  [`${words(duty)} not delivered`, error ?? words(state)] as const;

const History = ({ all: { request, history_left_out } }: { all: Case }) => (
  <>
    {history_left_out > 0 && <LeftOut count={history_left_out} />}
    <Rows
      label="History"
      heads={['When', 'Who', 'What']}
      empty="Nothing yet."
      rows={request.history.map(({ at, actor, action, note, user_id, key_id }) => [
        <Time key="at" at={at} />,
        [actor, user_id && `account ${user_id}`, key_id && `API key ${key_id}`].filter(Boolean).join(', '),
        note === null ? words(action) : `${words(action)}: ${note}`,
      ])}
    />
  </>
);

const Attachments = ({ all: { attachments } }: { all: Case }) => (
  <Rows
    label="Attachments"
    heads={['File', 'Size', 'Added', 'SHA-256']}
    empty="None."
    rows={attachments.map(({ name, bytes, added_by, created_at, sha256 }) => [
      name,
      <Size key="size" bytes={bytes} />,
      <span key="added">
        <Time at={created_at} /> by {added_by}
      </span>,
      sha256 === null ? 'incomplete' : <code key="hash">{sha256}</code>,
    ])}
  />
);

const AnswerFiles = ({ all: { answer_files } }: { all: Case }) => (
  <Rows
    label="Files of the answer"
    heads={['File', 'Size', 'Downloads', 'SHA-256']}
    empty="None: there were none, or they were deleted 30 days after the answer."
    rows={answer_files.map(({ name, bytes, downloads, sha256, complete }) => [
      name,
      <Size key="size" bytes={bytes} />,
      String(downloads),
      sha256 === null ? complete ? 'not computed' : 'incomplete' : <code key="hash">{sha256}</code>,
    ])}
  />
);

const Size = ({ bytes }: { bytes: number }) => <span className={style.whole}>{sizeOf(bytes)}</span>;

const Mails = ({ all: { mails, mails_left_out } }: { all: Case }) => (
  <>
    <Rows
      label="Mails to the person"
      heads={['When', 'Subject', 'State']}
      empty="None."
      rows={(mails ?? []).map(({ created_at, subject, kind, state, ended_at }) => [
        <Time key="at" at={created_at} />,
        subject ?? words(kind),
        <span key="state">
          {words(state)}
          {ended_at !== null && (
            <>
              , <Time at={ended_at} />
            </>
          )}
        </span>,
      ])}
    />
    {mails_left_out && <p>Older mails are left out.</p>}
  </>
);

const SEALED: Readonly<Record<Case['request']['evidence']['status'], string>> = {
  sealed: 'All steps are sealed in the evidence log',
  waiting: 'Steps wait to be sealed in the evidence log',
  unproven: 'Not proven: a step is not what was sealed in the evidence log',
};

const Evidence = ({ all: { request } }: { all: Case }) => {
  const { status, leaf, size, sealed_at } = request.evidence;
  return (
    <FieldList
      items={[
        ['State', SEALED[status]],
        ['Place in the log', leaf === null ? null : String(leaf)],
        ['Checkpoint', size === null ? null : `${size} records`],
        ['Signed', sealed_at && <Time at={sealed_at} />],
      ]}
    />
  );
};

const Searches = ({ all: { searches } }: { all: Case }) => (
  <Rows
    label="Systems searched"
    heads={['System', 'State', 'By whom', 'Note']}
    empty="No list was made."
    rows={searches.map(({ name, state, by, at, note }) => [
      name,
      SEARCHED[state],
      <span key="by">
        {by ?? '–'}
        {at !== null && (
          <>
            , <Time at={at} />
          </>
        )}
      </span>,
      note ?? '–',
    ])}
  />
);

const SEARCHED: Readonly<Record<Case['searches'][number]['state'], string>> = {
  open: 'Not searched yet',
  searched: 'Searched',
  data_found: 'Data found',
  nothing_found: 'Nothing found',
  not_applicable: 'Not applicable',
};

const Comments = ({ all: { comments, comments_left_out } }: { all: Case }) => (
  <>
    {comments_left_out > 0 && <LeftOut count={comments_left_out} />}
    <Rows
      label="Comments"
      heads={['When', 'Who', 'What']}
      empty="None."
      rows={comments.map(({ created_at, author, text }) => [
        <Time key="at" at={created_at} />,
        author,
        <span key="text" className={style.said}>
          {text}
        </span>,
      ])}
    />
  </>
);

const LeftOut = ({ count }: { count: number }) => (
  <p>The {count === 1 ? 'oldest one is' : `oldest ${count} are`} left out: the archive has all.</p>
);

/** A table that is the same on a screen and on paper: no row is cut by the end of a sheet. */
function Rows({
  label,
  heads,
  rows,
  empty,
}: {
  label: string;
  heads: readonly string[];
  rows: readonly (readonly ReactNode[])[];
  empty: string;
}) {
  if (rows.length === 0) return <p>{empty}</p>;
  return (
    <table className={style.rows} aria-label={label}>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows never move
          <tr key={index}>
            {cells.map((cell, column) => (
              <td key={heads[column]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** In the order of the sheet: whatever else a case has is one more of these. */
export const SECTIONS: readonly Section[] = [
  { title: 'The request', Content: Asked },
  { title: 'Clock', Content: Clock },
  { title: 'Identity', Content: Identity },
  { title: 'Outcome', Content: Outcome },
  { title: 'History', Content: History },
  { title: 'Systems searched', Content: Searches },
  { title: 'Comments', Content: Comments },
  { title: 'Attachments', Content: Attachments },
  { title: 'Files of the answer', Content: AnswerFiles },
  { title: 'Mails to the person', Content: Mails },
  { title: 'Evidence', Content: Evidence },
];
