import PostalMime, { type Attachment } from "postal-mime";
import type { MessageFile } from "../../ports/channels/channel.ts";

export interface ReadMail {
	readonly headers: string;
	readonly text: string;
	readonly html: string;
	readonly files: readonly MessageFile[];
}

const BLANK_LINE = "\r\n\r\n";

/**
 * Reads an email that `buildMail` built, with a different library from the one that composed it. The library reads the texts and the names
 * of the files; the files' bytes are decoded here, because it decodes them slowly, and changes those of a calendar.
 * @throws Error for an email with another structure
 */
export async function readMail(mail: Buffer): Promise<ReadMail> {
	const headers = headersOf(mail);
	const [head = mail, ...attached] = partsAt(mail, boundaryOf(headers));
	const { text = "", html = "" } = await PostalMime.parse(head);
	return { headers, text: wordsOf(text), html: wordsOf(html), files: await Promise.all(attached.map(fileOf)) };
}

/** The headers of an email or of a part of one. */
export function headersOf(mail: Buffer): string {
	return mail.subarray(0, mail.indexOf(BLANK_LINE)).toString("latin1");
}

/** The boundary between the texts and the files; undefined if there are no files. No author of a part knows it (`buildMail`). */
function boundaryOf(headers: string): string | undefined {
	return /^Content-Type: multipart\/mixed;\s+boundary="([^"]+)"/m.exec(headers)?.[1];
}

/** The email up to the end of its texts, followed by its files. */
function partsAt(mail: Buffer, boundary: string | undefined): readonly Buffer[] {
	if (boundary === undefined) return [mail];
	const delimiter = `\r\n--${boundary}`;
	const starts: number[] = [];
	for (let at = mail.indexOf(delimiter); at >= 0; at = mail.indexOf(delimiter, at + delimiter.length)) starts.push(at);
	const [, second, ...later] = starts;
	if (second === undefined) throw new Error("the email has no parts");
	const files = [second, ...later].slice(0, -1).map((at, index) => mail.subarray(at + delimiter.length + 2, later[index]));
	return [mail.subarray(0, second), ...files];
}

async function fileOf(part: Buffer): Promise<MessageFile> {
	const headers = headersOf(part);
	if (!/^Content-Transfer-Encoding: base64$/m.test(headers)) throw new Error("a file of the email is not in base64");
	const { attachments } = await PostalMime.parse(`${headers}${BLANK_LINE}`);
	const { filename, mimeType }: Partial<Attachment> = attachments[0] ?? {};
	const bytes = Buffer.from(part.subarray(headers.length + BLANK_LINE.length).toString("latin1"), "base64");
	return { name: filename ?? "", mediaType: mimeType ?? "", bytes };
}

/** A text with `\n` line ends, and without the one at its end that the email format adds to most texts. */
function wordsOf(text: string): string {
	return text.replaceAll("\r\n", "\n").replace(/\n$/, "");
}
