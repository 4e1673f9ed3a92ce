import { createHash } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mailHtml } from "../../src/channels/email/mail-html.ts";
import { type aMessage, JONAS, MailScene } from "./mail-scene.ts";

let scene: MailScene;
beforeAll(async () => {
	scene = await MailScene.open();
});
afterAll(async () => await scene[Symbol.asyncDispose]());

/** What a mail program reads of a message that was sent. */
async function received(message: Partial<typeof aMessage> = {}) {
	expect(await scene.send(message)).toMatchObject({ kind: "accepted" });
	const mail = (await scene.smtp.mails()).at(-1);
	if (mail === undefined) throw new Error("no mail has arrived");
	return mail;
}

const sha256 = (content: string | Uint8Array) => createHash("sha256").update(content).digest("hex");
const lines = (text: string | undefined) => text?.replaceAll("\r\n", "\n").trimEnd();

describe("[T2-10] [T2-37] a mail as it is read", () => {
	it("has the text as it is and its markdown as html", async () => {
		const { read } = await received({ text: "# Beaches\n\n**Sanur** is calm, `8 km`.\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n" });
		expect(lines(read.text)).toBe("# Beaches\n\n**Sanur** is calm, `8 km`.\n\n| a | b |\n|---|--:|\n| 1 | 2 |");
		const html = lines(read.html);
		expect(html).toContain(
			'<h1>Beaches</h1>\n<p><strong>Sanur</strong> is calm, <code style="font-family:monospace">8 km</code>.</p>\n<table',
		);
		expect(html).toContain('<td style="border:1px solid #ccc;padding:4px 8px;text-align:right">2</td>');
		expect(read.headers.find(({ key }) => key === "auto-submitted")?.value).toBe("auto-generated");
	});

	it("has the plan's title as its subject, or its own, and the names of both sides", async () => {
		scene.set({ fromName: "Mira Müller" });
		expect((await received()).read).toMatchObject({
			subject: "Beaches in Bali",
			from: { address: "mira@mail.example", name: "Mira Müller" },
			to: [{ address: JONAS, name: "Jonas" }],
			messageId: expect.stringMatching(/^<plan1-1-1\.[0-9a-f]{12}@mail\.example>$/),
			date: "2026-04-01T08:00:00.000Z",
		});
		const subject = "旅行 ✈ – приветствие 𝒳 and a line that is much longer than what fits into one line of a header of a mail";
		expect((await received({ subject })).read.subject).toBe(subject);
	});

	it("keeps a subject and names in their headers", async () => {
		const { read, to, bytes } = await received({
			subject: "Hi\r\nBcc: eve@example.org\r\n\r\nhello",
			name: "Jonas\r\nBcc: eve@example.org",
		});
		expect(read.subject).toBe("Hi Bcc: eve@example.org hello");
		expect([read.bcc, to]).toEqual([undefined, [JONAS]]);
		expect(bytes.toString("latin1")).not.toMatch(/^Bcc:/m);
	});

	it("has the run's files, whatever they are called and say that they are", async () => {
		const every = Uint8Array.from({ length: 70_000 }, (_, index) => index % 256);
		const files = [
			{ name: "beaches.csv", mediaType: "text/csv; charset=utf-8", bytes: Buffer.from("a,b\n1,2\r\n3,4\r") },
			{ name: "every byte.bin", mediaType: "application/octet-stream", bytes: every },
			{ name: "../../etc/räksmörgås.txt", mediaType: "text/plain", bytes: Buffer.from("x") },
			{ name: 'quote".pdf\r\nX-Evil: 1', mediaType: "text/html\r\nX-Evil: 1", bytes: Buffer.from("<script>") },
			{ name: "mail.eml", mediaType: "message/rfc822", bytes: Buffer.from("Subject: x\n\ny") },
			{ name: "parts", mediaType: "multipart/mixed", bytes: Buffer.from("z") },
		];
		const { read, bytes } = await received({ files });
		const contents = read.attachments.map(({ content }) => Buffer.from(content instanceof ArrayBuffer ? new Uint8Array(content) : content));
		expect(contents.map((content) => sha256(content))).toEqual(files.map((file) => sha256(file.bytes)));
		expect(read.attachments.map(({ filename }) => filename)).toEqual([
			"beaches.csv",
			"every byte.bin",
			"räksmörgås.txt",
			'quote".pdf X-Evil: 1',
			"mail.eml",
			"parts",
		]);
		expect(read.attachments.map(({ mimeType }) => mimeType)).toEqual([
			"text/csv",
			"application/octet-stream",
			"text/plain",
			"application/octet-stream",
			"application/octet-stream",
			"application/octet-stream",
		]);
		expect(bytes.toString("latin1")).not.toMatch(/^X-Evil/m);
	});

	it("is read as its preview says, from the very bytes", async () => {
		const message = { text: "Grüße\n.\n..dots\nFrom here\n", files: [{ name: "a.txt", mediaType: "text/plain", bytes: Buffer.from("a") }] };
		const { parts, payload } = await scene.built(message);
		const { read, bytes } = await received(message);
		expect(sha256(bytes)).toBe(payload.sha256);
		expect(parts.map(({ kind }) => kind)).toEqual(["headers", "text", "html", "file"]);
		expect(bytes.toString("latin1").startsWith(`${parts[0]?.text}\r\n\r\n`)).toBe(true);
		expect(lines(read.text)).toBe(lines(parts[1]?.text));
		expect(lines(read.html)).toBe(lines(parts[2]?.text));
		expect(parts.map((part) => part.sha256)).toEqual(parts.map((part) => sha256(part.kind === "file" ? "a" : (part.text ?? ""))));
	});

	it("is the same bytes each time it is built, and others if anything is different", async () => {
		const file = { name: "a.txt", mediaType: "text/plain", bytes: Buffer.from("a") };
		const one = await scene.built({ files: [file] });
		expect((await scene.built({ files: [file] })).payload.sha256).toBe(one.payload.sha256);
		const others = await Promise.all([
			scene.built({ files: [{ ...file, bytes: Buffer.from("b") }] }),
			scene.built({ files: [file], text: "x" }),
			scene.built({ files: [file], address: "mira@mail.example" }),
		]);
		expect(new Set([one, ...others].map(({ payload }) => payload.sha256)).size).toBe(4);
	});

	it("has another Message-ID for another message of the same number, as after a restore, and the same one for the same message", async () => {
		const idOf = async (change: object) => (await received(change)).read.messageId;
		const at = "2026-04-02T08:00:00.000Z";
		const ids = [await idOf({}), await idOf({ text: "Another text." }), await idOf({ at }), await idOf({ title: "Another" })];
		expect(new Set(ids).size).toBe(4);
		expect(await idOf({})).toBe(ids[0]);
	});

	it("takes 5 MB of text", async () => {
		const text = "ü **bold** <b>\n".repeat(320_000);
		expect(scene.channel.contentProblem(text)).toBeUndefined();
		const { read } = await received({ text });
		expect(lines(read.text)).toBe(text.trimEnd());
		expect(scene.channel.contentProblem(`${text}${text}${text}`)).toContain("10.5 MB");
	});

	it("has no text that a mail cannot carry", () => {
		expect([" \n", "a\0b", "a\ud800"].map((text) => scene.channel.contentProblem(text))).toEqual([
			expect.any(String),
			expect.any(String),
			expect.any(String),
		]);
	});
});

describe("[T2-03] a hostile deliverable", () => {
	it.for([
		"<script>alert(1)</script>",
		'<img src="http://evil.example/p.png" onerror=alert(1)>',
		"![x](http://evil.example/p.png)",
		"![x][p]\n\n[p]: http://evil.example/p.png",
		"[x](javascript:alert(1))",
		"[x](JaVaScRiPt:alert(1))",
		"[x](data:text/html,<script>alert(1)</script>)",
		"[x](file:///etc/passwd)",
		"<javascript:alert(1)>",
		'[x](https://a.example/"onmouseover="alert(1))',
		'```" onload="alert(1)\n<iframe src=x>\n```',
		"    <style>@import url(http://evil.example)</style>",
		'<a href="https://evil.example">bank</a>',
		"a\n--_NmP-\nContent-Type: text/html\n\n<script>",
	])("runs nothing and fetches nothing: %j", (text) => {
		const html = mailHtml(text);
		const tags = [...html.matchAll(/<[a-z][^>]*>/gi)].map(([tag]) => tag);
		expect(tags.filter((tag) => !plain.test(tag))).toEqual([]);
	});

	it("has only plain tags, however it is written", () => {
		const piece = fc.constantFrom(
			"<",
			">",
			'"',
			"'",
			"![",
			"[",
			"](",
			")",
			"`",
			"```",
			"http://e.example/",
			"javascript:",
			" onload=",
			"\n",
			"|",
			"a",
			"&lt;",
			"&#106;",
			"<img src=x>",
		);
		fc.assert(
			fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
				const tags = [...mailHtml(pieces.join("")).matchAll(/<[a-z][^>]*>/gi)].map(([tag]) => tag);
				expect(tags.filter((tag) => !plain.test(tag))).toEqual([]);
			}),
			{ numRuns: 500 },
		);
	});

	it("says nothing in another part of the mail", async () => {
		const { bytes } = await received();
		const boundary = /boundary="([^"]+)"/.exec(bytes.toString("latin1"))?.[1];
		const { read } = await received({ text: `a\n--${boundary}\nContent-Type: text/html\n\n<script>alert(1)</script>\n--${boundary}--\n` });
		expect(read.html).not.toContain("<script>");
		expect(read.text).toContain("<script>");
	});
});

/** Tags of a mail that neither run nor fetch anything by themselves. */
const plain =
	/^<(?:!doctype html|html|head|meta charset="utf-8"|\/?body(?: style="[a-z:;\-.\d]+")?|(?:h[1-6]|p|br|strong|em|s|ul|ol(?: start="\d+")?|li|hr|thead|tbody|tr)|(?:table|th|td|code|pre|blockquote|div)(?: style="[\w\s:;#.-]+")?|a|a href="(?:https?:\/\/|mailto:)[^"<>]*"(?: title="[^"]*")? rel="noopener noreferrer nofollow")>$/i;

describe("the html of a mail", () => {
	it("escapes what is not markdown, also of a text that is too long to be parsed", () => {
		expect(mailHtml("<b>")).toContain("<p>&lt;b&gt;</p>");
		expect(mailHtml(`<b>${"x".repeat(300_000)}`)).toContain("&lt;b&gt;xxx");
	});
});
