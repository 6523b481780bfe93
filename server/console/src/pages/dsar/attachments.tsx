import { keys, type Schemas, useAction, useAnswer } from '../../app/data';
import { saveFile } from '../../app/save-file';
import { useSite } from '../../app/site';
import { Button, Card, type Column, Failed, QueryState, Table, Time } from '../../ui';
import { FileUpload } from './file-upload';
import { ATTACHMENT_TYPES, sizeOf, typeOf } from './upload';

type Attachment = Schemas['Attachment'];

/** Internal files of a request, which the person never gets. */
export function Attachments({ request_id }: { request_id: string }) {
  const { may, token } = useSite();
  if (!may('operator')) return null;
  return (
    <Card title="Attachments">
      <p className="hint">
        Internal files, such as a proof of identity that was checked or a letter. They are encrypted, the
        person never gets them, and they are erased with the request.
      </p>
      <Files request={{ token, request_id }} />
    </Card>
  );
}

function Files({ request }: { request: { token: string; request_id: string } }) {
  const key = keys.site(request.token, 'dsar', request.request_id, 'attachments');
  const files = useAnswer(key, (api, signal) => api.listAttachments(request, { signal }));
  const remove = useAction(
    (api, attachment_id: string) => api.deleteAttachment({ ...request, attachment_id }),
    { success: 'The file is deleted.', changes: [key] },
  );
  // No time limit: a large file takes long.
  const save = useAction((api, attachment_id: string) =>
    saveFile(api.downloadAttachment({ ...request, attachment_id }, { timeout: 0 })),
  );
  return (
    <>
      <QueryState query={files}>
        {({ items }) =>
          items.length === 0 ? (
            <p>No files yet.</p>
          ) : (
            <Table
              label="Attachments"
              columns={columns({
                save: save.run,
                remove: remove.run,
                pending: save.pending || remove.pending,
              })}
              rows={items}
              rowKey={({ attachment_id }) => attachment_id}
            />
          )
        }
      </QueryState>
      <Failed error={save.error ?? remove.error} />
      <FileUpload
        label="Attachment"
        changed={key}
        begin={async (api, file) => {
          const content_type = typeOf(file, ATTACHMENT_TYPES);
          const body = { name: file.name, content_type, bytes: file.size };
          const { attachment_id } = await api.createAttachment({ ...request, body });
          return (part, content) =>
            api.putAttachmentPart({ ...request, attachment_id, part, body: { content } });
        }}
      />
    </>
  );
}

interface Actions {
  save(attachment_id: string): void;
  remove(attachment_id: string): void;
  pending: boolean;
}

const columns = ({ save, remove, pending }: Actions): Column<Attachment>[] => [
  {
    title: 'File',
    cell: ({ name, bytes }) => (
      <>
        {name} <span className="hint block">{sizeOf(bytes)}</span>
      </>
    ),
  },
  {
    title: 'Added',
    cell: ({ added_by, created_at, sha256 }) => (
      <>
        <Time at={created_at} />{' '}
        <span className="hint block">
          {sha256 === null ? 'Incomplete: delete it and add it again' : `by ${added_by}`}
        </span>
      </>
    ),
  },
  {
    title: 'Actions',
    cell: ({ attachment_id, name, sha256 }) => (
      <span className="row">
        {sha256 !== null && (
          <Button
            small
            isDisabled={pending}
            onPress={() => save(attachment_id)}
            aria-label={`Download ${name}`}
          >
            Download
          </Button>
        )}
        <Button
          small
          isDisabled={pending}
          onPress={() => remove(attachment_id)}
          aria-label={`Delete ${name}`}
        >
          Delete
        </Button>
      </span>
    ),
  },
];
