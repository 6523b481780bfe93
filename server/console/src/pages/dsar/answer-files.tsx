import { keys, type Schemas, useAction, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';
import { Alert, Button, Card, type Column, Failed, QueryState, Table } from '../../ui';
import { FileUpload } from './file-upload';
import { whyNotMailed } from './mailing';
import { ANSWER_TYPES, sizeOf, typeOf } from './upload';

type Dsar = Schemas['DsarProof'];
type AnswerFile = Schemas['AnswerFile'];

/** The files of the answer to an access or portability request. */
export function AnswerFiles({ dsar }: { dsar: Dsar }) {
  const { may } = useSite();
  const takesFiles = dsar.request_type === 'access' || dsar.request_type === 'portability';
  const why = whyNotMailed(dsar.mailing);
  if (!takesFiles || dsar.email === '' || !may('operator')) return null;
  return (
    <Card title="Files of the answer">
      {why !== undefined && dsar.status !== 'resolved' && (
        <Alert tone="warn" title="Nobody can fetch files of the answer">
          {why}
        </Alert>
      )}
      {why === undefined && (
        <p className="hint">
          When you resolve the request, the person gets a link by mail, and the code for it by another mail.
          Files are encrypted, and deleted 30 days after the answer.
        </p>
      )}
      <Files dsar={dsar} />
    </Card>
  );
}

function Files({ dsar }: { dsar: Dsar }) {
  const { token } = useSite();
  const key = keys.site(token, 'dsar', dsar.request_id, 'files');
  const request = { token, request_id: dsar.request_id };
  const files = useAnswer(key, (api, signal) => api.listAnswerFiles(request, { signal }));
  const remove = useAction((api, file_id: string) => api.deleteAnswerFile({ ...request, file_id }), {
    success: 'The file is deleted.',
    changes: [key],
  });
  return (
    <>
      <QueryState query={files}>
        {({ items }) =>
          items.length === 0 ? (
            <p>No files yet.</p>
          ) : (
            <Table
              label="Files of the answer"
              columns={columns((file_id) => remove.run(file_id), remove.pending)}
              rows={items}
              rowKey={({ file_id }) => file_id}
            />
          )
        }
      </QueryState>
      <Failed error={remove.error} />
      {dsar.status !== 'resolved' && dsar.mailing === 'mailed' && (
        <FileUpload
          label="File of the answer"
          changed={key}
          begin={async (api, file) => {
            const content_type = typeOf(file, ANSWER_TYPES);
            const body = { name: file.name, content_type, bytes: file.size };
            const { file_id } = await api.createAnswerFile({ ...request, body });
            return (part, content) => api.putAnswerFilePart({ ...request, file_id, part, body: { content } });
          }}
        />
      )}
    </>
  );
}

const downloaded = (times: number): string =>
  times === 0 ? 'Not downloaded' : times === 1 ? 'Downloaded once' : `Downloaded ${times} times`;

const columns = (remove: (file_id: string) => void, pending: boolean): Column<AnswerFile>[] => [
  {
    title: 'File',
    cell: ({ name, bytes }) => (
      <>
        {name} <span className="hint block">{sizeOf(bytes)}</span>
      </>
    ),
  },
  {
    title: 'State',
    cell: ({ complete, downloads }) =>
      complete ? downloaded(downloads) : 'Incomplete: delete it and add it again',
  },
  {
    title: 'Actions',
    cell: ({ file_id, name }) => (
      <Button small isDisabled={pending} onPress={() => remove(file_id)} aria-label={`Delete ${name}`}>
        Delete
      </Button>
    ),
  },
];
