import { createHash, webcrypto } from 'node:crypto';
import {
  type BaseBlock,
  Constructed,
  fromBER,
  GeneralizedTime,
  Integer,
  Null,
  OctetString,
  Sequence,
} from 'asn1js';
import {
  AlgorithmIdentifier,
  ContentInfo,
  CryptoEngine,
  ExtKeyUsage,
  id_ExtKeyUsage,
  id_eContentType_TSTInfo,
  MessageImprint,
  SignedData,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from 'pkijs';
import { faultOfTime } from './stated-time';

// Time-stamps of RFC 3161. The library reads and checks the formats; whom to trust is for those who verify later.

const SHA256 = '2.16.840.1.101.3.4.2.1';
const FOR_TIME_STAMPS = '1.3.6.1.5.5.7.3.8';
/** Of an answer: tokens with long chains have a tenth of these ASN.1 values. */
const BOUNDS = { maxNodes: 4_000, maxDepth: 40 };
/** Of what a token states: real ones have some 40 values, and their authority's name lies 6 deep. */
const INFO_BOUNDS = { maxNodes: 400, maxDepth: 20 };

/** Named, because the library's own one belongs to the whole process. */
const ENGINE = new CryptoEngine({ name: 'node', crypto: webcrypto as Crypto });

/** What a time-stamp is asked for. */
export interface TimeStampQuery {
  /** What was signed: its SHA-256 is sent. */
  text: string;
  /** Up to 20 random bytes, which the answer must repeat. */
  nonce: Buffer;
  /** The policy that it must be given under; undefined: any. */
  policy: string | undefined;
  /** When it is asked, in milliseconds since 1970. */
  at: number;
}

export interface TimeStamp {
  /** The token (RFC 3161, TimeStampToken) as it was received. */
  token: Buffer;
  /** The time that the authority states. */
  genTime: Date;
}

/** An answer that is no time-stamp for the query; the message says why and quotes nothing. */
export class TimeStampError extends Error {
  override name = 'TimeStampError';
}

/** A positive integer that begins with a bit: DER has one form of it. */
const nonceOf = (nonce: Buffer): Integer => {
  const bytes = Buffer.from(nonce);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return new Integer({ valueHex: new Uint8Array(bytes).buffer });
};

const digestOf = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();

/** The body of a request, `application/timestamp-query`. */
export function writeTimeStampQuery({ text, nonce, policy }: TimeStampQuery): Buffer {
  const query = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId: SHA256, algorithmParams: new Null() }),
      hashedMessage: new OctetString({ valueHex: new Uint8Array(digestOf(text)).buffer }),
    }),
    nonce: nonceOf(nonce),
    certReq: true,
    ...(policy === undefined ? {} : { reqPolicy: policy }),
  });
  return Buffer.from(query.toSchema().toBER());
}

/** Reads and checks an answer, `application/timestamp-reply`. Throws `TimeStampError`. */
export async function readTimeStamp(answer: Buffer, query: TimeStampQuery): Promise<TimeStamp> {
  const { response, token, isPlain } = readAnswer(answer);
  const status = response.status.status;
  if (status !== 0 && status !== 1) throw new TimeStampError(`it was refused with the status ${status}`);
  if (token === undefined || response.timeStampToken === undefined)
    throw new TimeStampError('it holds no token');
  // RFC 3161, section 3.4. Those whom it is handed to read nothing else, nor does our verifier.
  if (!isPlain) throw new TimeStampError('its token is in BER, where RFC 3161 demands DER');
  let signed: SignedData;
  let info: TSTInfo;
  try {
    signed = new SignedData({ schema: response.timeStampToken.content });
    const content = signed.encapContentInfo.eContent?.getValue();
    if (signed.encapContentInfo.eContentType !== id_eContentType_TSTInfo || content === undefined)
      throw new Error();
    info = readInfo(content);
  } catch {
    throw new TimeStampError('its token is no time-stamp');
  }
  checkInfo(info, query);
  await checkSignature(signed, query.text);
  // The bytes as they came: another encoding would have another signature.
  return { token: Buffer.from(token.valueBeforeDecodeView), genTime: info.genTime };
}

/** Whether each length is given and each string is in one piece: DER, as far as the library has read. */
function isDer(node: BaseBlock): boolean {
  if (node.lenBlock.isIndefiniteForm) return false;
  if (!(node instanceof Constructed)) return !node.idBlock.isConstructed;
  return node.valueBlock.value.every(isDer);
}

interface Answer {
  response: TimeStampResp;
  token: BaseBlock | undefined;
  /** Whether it is in DER. */
  isPlain: boolean;
}

function readAnswer(answer: Buffer): Answer {
  try {
    const { result, offset } = fromBER(new Uint8Array(answer), BOUNDS);
    if (offset !== answer.length || !(result instanceof Sequence)) throw new Error();
    // Looked at first: the library's reading of the values writes into them.
    const isPlain = isDer(result);
    const response = new TimeStampResp({ schema: result });
    return { response, token: result.valueBlock.value[1], isPlain };
  } catch {
    throw new TimeStampError('it is no answer of RFC 3161');
  }
}

/** RFC 3161, section 2.4.2: with seconds, in UTC; more digits of a fraction, or a leap second, no verifier reads. */
const GEN_TIME = /^\d{12}[0-5]\d(?:\.\d{1,9})?Z$/;

/** What a token states. The library's own reader of it takes no bounds. */
function readInfo(content: ArrayBuffer): TSTInfo {
  const { result, offset } = fromBER(new Uint8Array(content), INFO_BOUNDS);
  if (offset !== content.byteLength || !(result instanceof Sequence) || !isDer(result)) throw new Error();
  const time = result.valueBlock.value[4];
  const written = time instanceof GeneralizedTime ? Buffer.from(time.valueBlock.valueHexView) : '';
  if (!GEN_TIME.test(written.toString('latin1'))) throw new Error();
  return new TSTInfo({ schema: result });
}

function checkInfo(info: TSTInfo, { text, nonce, policy, at }: TimeStampQuery): void {
  const { hashAlgorithm, hashedMessage } = info.messageImprint;
  const digest = Buffer.from(hashedMessage.valueBlock.valueHexView);
  if (hashAlgorithm.algorithmId !== SHA256 || !digest.equals(digestOf(text))) {
    throw new TimeStampError('it is of another text');
  }
  if (info.nonce === undefined || !info.nonce.isEqual(nonceOf(nonce))) {
    throw new TimeStampError('it answers another request');
  }
  if (policy !== undefined && info.policy !== policy)
    throw new TimeStampError('it was given under another policy');
  const fault = faultOfTime(info.genTime.getTime(), at);
  if (fault !== undefined) throw new TimeStampError(fault);
}

/** Whether the key of a certificate in it has signed it, one that is for time-stamps only (RFC 3161, section 2.3). */
async function checkSignature(signed: SignedData, text: string): Promise<void> {
  const data = new Uint8Array(Buffer.from(text, 'utf8')).buffer;
  const result = await signed
    .verify({ signer: 0, data, checkChain: false, extendedMode: true }, ENGINE)
    .catch(() => undefined);
  if (result?.signatureVerified !== true || signed.signerInfos.length !== 1) {
    throw new TimeStampError('its signature does not fit its certificate');
  }
  const usage = result.signerCertificate?.extensions?.find(({ extnID }) => extnID === id_ExtKeyUsage);
  const purposes =
    usage?.critical && usage.parsedValue instanceof ExtKeyUsage ? usage.parsedValue.keyPurposes : [];
  if (purposes.length !== 1 || purposes[0] !== FOR_TIME_STAMPS) {
    throw new TimeStampError('its certificate is not one for time-stamps only');
  }
}

/** The time that a stored token (RFC 3161, TimeStampToken) states for a text. Throws `TimeStampError`. */
export async function timeInToken(token: Buffer, text: string): Promise<Date> {
  let signed: SignedData;
  let info: TSTInfo;
  try {
    const { result } = fromBER(new Uint8Array(token), BOUNDS);
    signed = new SignedData({ schema: new ContentInfo({ schema: result }).content });
    info = readInfo(signed.encapContentInfo.eContent?.getValue() ?? new ArrayBuffer(0));
  } catch {
    throw new TimeStampError('its token is no time-stamp');
  }
  const digest = Buffer.from(info.messageImprint.hashedMessage.valueBlock.valueHexView);
  if (!digest.equals(digestOf(text))) throw new TimeStampError('it is of another text');
  await checkSignature(signed, text);
  return info.genTime;
}
